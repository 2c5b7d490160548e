//! Functions as the engine calls them: argument types and columns.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, StringArray, StructArray};
use datafusion::arrow::datatypes::{DataType, Int64Type};
use datafusion::common::{DataFusionError, Result, exec_err, plan_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};

use super::column::{Annotations, Moves, Series, plain};

/// A function available in queries.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: &'static str,
    /// Its syntax: `fen(moves [, ply])`.
    pub usage: &'static str,
    /// Its result, in a sentence.
    pub gives: &'static str,
    /// The parameters of each of its forms.
    pub(super) forms: &'static [&'static [Parameter]],
    /// The type of its result.
    pub(super) returns: DataType,
    /// Computes the result for each row.
    pub(super) answer: fn(&Arguments) -> Result<ArrayRef>,
}

/// The kind of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    /// The moves of games: a column of ours, or texts.
    Moves,
    /// Texts of moves only.
    Movetext,
    /// A number of plies.
    Ply,
    /// A text.
    Text,
    /// The name of a player, or a part of one.
    Name,
    /// Codes of values along the moves.
    Series,
    /// Annotations between the moves.
    Annotations,
    /// The templates of the comments that a series holds.
    Templates,
    /// All columns of a row.
    Row,
}

/// The forms of a function of the value beside a move.
pub(super) const VALUE_OF_PLY: &[&[Parameter]] = &[
    &[Parameter::Moves, Parameter::Series, Parameter::Ply],
    &[Parameter::Movetext, Parameter::Ply],
];

/// The forms of a function of what an engine's comment behind a move says.
pub(super) const REMARK_OF_PLY: &[&[Parameter]] = &[REMARK, &[Parameter::Movetext, Parameter::Ply]];

/// The columns that hold engines' comments.
const REMARK: &[Parameter] = &[
    Parameter::Moves,
    Parameter::Annotations,
    Parameter::Templates,
    Parameter::Series,
    Parameter::Ply,
];

/// The forms of a function of evaluations, which are values beside moves or in engines' comments.
pub(super) const EVALUATION_OF_PLY: &[&[Parameter]] = &[
    &[Parameter::Moves, Parameter::Series, Parameter::Ply],
    REMARK,
    &[Parameter::Movetext, Parameter::Ply],
];

impl Function {
    /// Creates the function for an engine.
    pub fn make(&'static self) -> ScalarUDF {
        let signature = Signature::user_defined(Volatility::Immutable);
        ScalarUDF::new_from_impl(Call { function: self, signature })
    }

    /// Returns the form that takes arguments of these types.
    fn form(&self, types: &[DataType]) -> Option<&'static [Parameter]> {
        let fits = |form: &&&'static [Parameter]| {
            let mut pairs = form.iter().zip(types);
            form.len() == types.len() && pairs.all(|(parameter, found)| parameter.takes(found))
        };
        self.forms.iter().find(fits).copied()
    }

    /// The parameters of all forms, each once.
    fn parameters(&self) -> Vec<Parameter> {
        let mut all = Vec::new();
        for parameter in self.forms.iter().copied().flatten() {
            if !all.contains(parameter) {
                all.push(*parameter);
            }
        }
        all
    }

    fn misused<T>(&self, types: &[DataType]) -> Result<T> {
        let found: Vec<String> = types.iter().map(ToString::to_string).collect();
        let what: Vec<&str> = self.parameters().into_iter().map(Parameter::what).collect();
        let Self { name, usage, .. } = self;
        plan_err!(
            "{name} is called as `{usage}`, not with ({}): {}",
            found.join(", "),
            what.join("; ")
        )
    }
}

impl Parameter {
    fn takes(self, found: &DataType) -> bool {
        let has = |names: &[&str]| match found {
            DataType::Struct(fields) => names.iter().all(|name| fields.find(name).is_some()),
            _ => false,
        };
        match self {
            Self::Moves => is_text(found) || has(&["codec", "plies", "code"]),
            Self::Movetext | Self::Text | Self::Name | Self::Templates => is_text(found),
            Self::Ply => found.is_null() || found.is_integer(),
            Self::Series => found.is_null() || has(&["codec", "code"]),
            Self::Annotations => {
                found.is_null() || matches!(found, DataType::List(_) | DataType::LargeList(_))
            }
            Self::Row => matches!(found, DataType::Struct(_)),
        }
    }

    /// Describes the parameter.
    fn what(self) -> &'static str {
        match self {
            Self::Moves => {
                "`moves` is the column `moves` of a packed file, or a text with the moves of \
                 a chess game"
            }
            Self::Movetext => "`movetext` is a text with the moves of a chess game",
            Self::Ply => "`ply` is a whole number, 0 at the start",
            Self::Text => "`position`, `pattern` and `time_control` are texts",
            Self::Name => "names of players are texts",
            Self::Series => {
                "`clocks`, `evals` or `fields` is the column of that name in a packed file"
            }
            Self::Annotations => "`annotations` is the column of that name in a packed file",
            Self::Templates => "`templates` is the column of that name in a packed file",
            Self::Row => "`*` stands for all columns of a packed file",
        }
    }
}

/// Whether values are texts or nulls.
fn is_text(found: &DataType) -> bool {
    match found {
        DataType::Dictionary(_, values) => is_text(values),
        other => other.is_string() || other.is_null(),
    }
}

/// The arguments of a call, one value per row.
pub(super) struct Arguments {
    /// The function's name, for messages.
    pub function: &'static str,
    /// The number of rows.
    pub rows: usize,
    columns: Vec<(Parameter, ArrayRef)>,
}

impl Arguments {
    /// The first argument of this kind, if given.
    fn column(&self, wanted: Parameter) -> Option<&ArrayRef> {
        self.columns.iter().find(|column| column.0 == wanted).map(|column| &column.1)
    }

    /// The moves.
    pub fn moves(&self) -> Result<Moves> {
        let column = self.column(Parameter::Moves).or(self.column(Parameter::Movetext));
        column.and_then(Moves::new).ok_or_else(|| self.missing())
    }

    /// The ply for each row, `None` where it is null; no list if the whole games are meant.
    pub fn plies(&self) -> Option<Vec<Option<i64>>> {
        let plies = self.column(Parameter::Ply)?.as_primitive_opt::<Int64Type>()?;
        Some(plies.iter().collect())
    }

    /// The texts.
    pub fn texts(&self) -> Result<&StringArray> {
        let column = self.column(Parameter::Text).and_then(|column| column.as_string_opt());
        column.ok_or_else(|| self.missing())
    }

    /// The two names of players.
    pub fn names(&self) -> Result<[&StringArray; 2]> {
        let names = self.columns.iter().filter(|column| column.0 == Parameter::Name);
        let mut names = names.filter_map(|column| column.1.as_string_opt::<i32>());
        let both = names.next().zip(names.next());
        both.map(<[_; 2]>::from).ok_or_else(|| self.missing())
    }

    /// The codes of values along the moves; `None` if they are part of the texts of the moves.
    pub fn series(&self) -> Result<Option<Series>> {
        let Some(column) = self.column(Parameter::Series) else { return Ok(None) };
        Series::new(column).map(Some).ok_or_else(|| self.missing())
    }

    /// The annotations between the moves; `None` if they are part of the texts of the moves.
    pub fn annotations(&self) -> Option<Annotations> {
        self.column(Parameter::Annotations).map(Annotations::new)
    }

    /// The templates of comments; `None` if comments are part of the texts of the moves.
    pub fn templates(&self) -> Option<&StringArray> {
        self.column(Parameter::Templates).and_then(|column| column.as_string_opt())
    }

    /// All columns of the rows.
    pub fn row(&self) -> Result<&StructArray> {
        let column = self.column(Parameter::Row).and_then(|column| column.as_struct_opt());
        column.ok_or_else(|| self.missing())
    }

    /// Unreachable: types were checked before.
    fn missing(&self) -> DataFusionError {
        DataFusionError::Internal(format!("{}: an argument is missing", self.function))
    }
}

/// A function with the signature required by the engine.
#[derive(Debug)]
struct Call {
    function: &'static Function,
    signature: Signature,
}

impl PartialEq for Call {
    fn eq(&self, other: &Self) -> bool {
        self.function.name == other.function.name
    }
}

impl Eq for Call {}

impl Hash for Call {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.function.name.hash(state);
    }
}

impl ScalarUDFImpl for Call {
    fn name(&self) -> &str {
        self.function.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    /// Leaves types unchanged: other tools turn a column of ours into many types, and [`plain`]
    /// takes all of them.
    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match self.function.form(types) {
            Some(_) => Ok(types.to_vec()),
            None => self.function.misused(types),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.function.returns.clone())
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let rows = args.number_rows;
        let types: Vec<DataType> = args.args.iter().map(ColumnarValue::data_type).collect();
        let Some(form) = self.function.form(&types) else { return self.function.misused(&types) };
        let mut columns = Vec::with_capacity(form.len());
        for (parameter, value) in form.iter().zip(args.args) {
            let wanted = match parameter {
                Parameter::Ply => Some(DataType::Int64),
                Parameter::Moves | Parameter::Series | Parameter::Annotations | Parameter::Row => {
                    None
                }
                Parameter::Movetext | Parameter::Text | Parameter::Name | Parameter::Templates => {
                    Some(DataType::Utf8)
                }
            };
            columns.push((*parameter, plain(&value.into_array(rows)?, wanted.as_ref())?));
        }
        let arguments = Arguments { function: self.function.name, rows, columns };
        let answer = (self.function.answer)(&arguments)?;
        if answer.len() != rows {
            return exec_err!("{}: {} answers for {rows} rows", self.function.name, answer.len());
        }
        Ok(ColumnarValue::Array(answer))
    }
}

/// Builds a column of texts.
pub(super) fn texts(function: &str, texts: Vec<Option<String>>) -> Result<ArrayRef> {
    let bytes: usize = texts.iter().flatten().map(String::len).sum();
    if i32::try_from(bytes).is_err() {
        return exec_err!(
            "{function}: the texts of {} rows have {bytes} bytes, more than a batch can hold; set \
             a smaller `datafusion.execution.batch_size`",
            texts.len()
        );
    }
    Ok(Arc::new(StringArray::from(texts)))
}
