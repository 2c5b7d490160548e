//! The names of players, events, sites and rounds, which games refer to by number.

use std::io::{self, Read};

/// The bytes with which a file of names begins.
const MAGIC: &[u8; 8] = b"Scid.sn\0";

/// The most names of each kind, as the index has so many bits for their numbers: places for numbers
/// beyond would take memory that a few bytes of a damaged file ask for.
const NAMES_MAX: [u32; 4] = [1 << 20, 1 << 19, 1 << 19, 1 << 18];

/// The most bytes of all names together.
const BYTES_MAX: usize = 256 << 20;

/// The names of a database.
#[derive(Debug, Default)]
pub(super) struct Names {
    text: Vec<u8>,
    /// For each kind, the start and the length of each name.
    places: [Vec<(u32, u8)>; 4],
}

/// A kind of names, in the order of the file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Player,
    Event,
    Site,
    Round,
}

impl Names {
    /// Reads a file of names. Each begins with so many bytes of the one before it.
    pub fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut magic = [0; MAGIC.len()];
        from.read_exact(&mut magic)?;
        if magic != *MAGIC {
            return Err(io::Error::other(
                "it is not the file of names of a SCID database, or it is damaged; copy it again \
                 from where the database was",
            ));
        }
        number(from, 4)?;
        let mut counts = [0; 4];
        let mut frequencies = [0; 4];
        for count in counts.iter_mut().chain(&mut frequencies) {
            *count = number(from, 3)?;
        }
        let mut names = Self::default();
        for ((count, frequency), kind) in counts.into_iter().zip(frequencies).zip(0..) {
            if NAMES_MAX.get(kind).is_none_or(|most| count > *most) {
                return Err(io::Error::other(
                    "it is damaged: it has more names than SCID can have",
                ));
            }
            names.read_kind(from, kind, count, frequency)?;
        }
        Ok(names)
    }

    fn read_kind(
        &mut self,
        from: &mut impl Read,
        kind: usize,
        count: u32,
        frequency: u32,
    ) -> io::Result<()> {
        let width = |number: u32, widths: [usize; 3]| match number {
            0..=0xff => widths[0],
            0x100..=0xffff => widths[1],
            _ => widths[2],
        };
        let mut name = Vec::new();
        for place in 0..count {
            let id = number(from, width(count, [2, 2, 3]))?;
            number(from, width(frequency, [1, 2, 3]))?;
            let length = number(from, 1)?;
            let kept = if place == 0 { 0 } else { number(from, 1)? };
            let damaged = || io::Error::other("it is damaged: a name has no place");
            let new = length.checked_sub(kept).filter(|_| id < count).ok_or_else(damaged)?;
            name.truncate(usize::try_from(kept).map_err(|_| damaged())?);
            let known = name.len();
            from.take(new.into()).read_to_end(&mut name)?;
            if name.len() - known != usize::try_from(new).map_err(|_| damaged())? {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if self.text.len() + name.len() > BYTES_MAX {
                return Err(io::Error::other("its names take more than 256 MiB"));
            }
            let start = u32::try_from(self.text.len()).map_err(|_| damaged())?;
            let length = u8::try_from(name.len()).map_err(|_| damaged())?;
            self.text.extend(&name);
            let places = self.places.get_mut(kind).ok_or_else(damaged)?;
            let id = usize::try_from(id).map_err(|_| damaged())?;
            if places.len() <= id {
                places.resize(id + 1, (0, 0));
            }
            if let Some(place) = places.get_mut(id) {
                *place = (start, length);
            }
        }
        Ok(())
    }

    /// The name of a number, `?` if there is none.
    pub fn name(&self, kind: Kind, id: u32) -> String {
        let places = match kind {
            Kind::Player => &self.places[0],
            Kind::Event => &self.places[1],
            Kind::Site => &self.places[2],
            Kind::Round => &self.places[3],
        };
        let bytes = || {
            let &(start, length) = places.get(usize::try_from(id).ok()?)?;
            self.text.get(usize::try_from(start).ok()?..)?.get(..usize::from(length))
        };
        bytes().map_or_else(|| "?".into(), text)
    }
}

/// A text in UTF-8; bytes that are no part of it are in Latin-1, as programs have joined both.
pub(super) fn text(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|&byte| char::from(byte)));
    }
    text
}

/// Reads a number of so many bytes, the highest first.
fn number(from: &mut impl Read, length: usize) -> io::Result<u32> {
    let mut bytes = [0; 4];
    let place = bytes.len().saturating_sub(length);
    from.read_exact(bytes.get_mut(place..).unwrap_or_default())?;
    Ok(u32::from_be_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_share_their_beginnings() {
        let mut file = MAGIC.to_vec();
        file.extend([0; 4]);
        for count in [2, 1, 0, 0, 3, 300, 0, 0_u32] {
            file.extend(&count.to_be_bytes()[1..]);
        }
        file.extend(b"\0\x01\x03\x04Adam\0\0\x01\x05\x02\xe9le");
        file.extend(b"\0\0\x01\x2c\x05\xe9C\xc5\xbdp");
        let names = Names::read(&mut &file[..]).expect("names");
        let name = |kind, id| names.name(kind, id);
        assert_eq!((name(Kind::Player, 0), name(Kind::Player, 1)), ("Adéle".into(), "Adam".into()));
        assert_eq!((name(Kind::Event, 0), name(Kind::Site, 0)), ("éCŽp".into(), "?".into()));
        assert_eq!((name(Kind::Round, 9), name(Kind::Player, 2)), ("?".into(), "?".into()));
        for cut in 0..file.len() {
            assert!(Names::read(&mut &file[..cut]).is_err(), "{cut}");
        }
        // Two million players, of which the first has the last number.
        let mut many = file.clone();
        many[12] = 0x20;
        let error = Names::read(&mut &many[..]).err().map(|error| error.to_string());
        assert!(error.is_some_and(|error| error.contains("more names")));
        for place in 0..file.len() {
            for bit in 0..8 {
                let mut damaged = file.clone();
                damaged[place] ^= 1 << bit;
                drop(Names::read(&mut &damaged[..]));
            }
        }
    }
}
