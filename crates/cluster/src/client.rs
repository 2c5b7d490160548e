//! The client: it plans nothing itself, and fetches the results of the executors.

use std::sync::Arc;

use ballista_core::extension::{SessionConfigExt, SessionConfigHelperExt, SessionStateExt};
use ballista_core::serde::protobuf::ExecuteQueryParams;
use ballista_core::serde::protobuf::execute_query_params::Query;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::utils::create_grpc_client_endpoint;
use ballista_core::version::insert_version_header;
use datafusion::execution::SessionStateBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use plypack_sql::Session;

use crate::address::Address;
use crate::error::{Error, marked};
use crate::planner::Planner;
use crate::version::{Claim, version};

/// Creates a session whose queries run on a cluster, `df://host:port`. Fails unless a scheduler of
/// this version of plypack answers there, and has executors; each query is checked in the same way.
///
/// # Errors
/// Returns an error if nothing or another service listens there, if there is no executor, or if
/// versions differ.
pub async fn connect(url: &str) -> Result<Session, Error> {
    let address = Address::of_cluster(url)?;
    let mut config = plypack_sql::configure(SessionConfig::new_with_ballista())
        .with_option_extension(Claim { version: version() });
    // Client and scheduler both optimise a plan, and this rule (55.2.0) fails on its own names the
    // second time.
    config.options_mut().optimizer.enable_leaf_expression_pushdown = false;
    address.call().await?;
    greet(&address, &config).await?;
    let planner = Planner::new(address.http(), config.ballista_config());
    let config = config.with_ballista_query_planner(Arc::new(planner));
    let builder = SessionStateBuilder::new().with_config(config);
    let builder = builder.with_runtime_env(plypack_sql::runtime()).with_default_features();
    let state = builder.build().upgrade_for_ballista(address.http());
    let state = state.map_err(|error| Error::Ended(error.to_string()))?;
    Ok(Session::over(SessionContext::new_with_state(state)))
}

/// Sends the scheduler a query without a plan. It checks the client before the plan, so that it
/// reports at once, and without a task, why a query could not run.
async fn greet(address: &Address, config: &SessionConfig) -> Result<(), Error> {
    let stranger = |why: String| Error::Stranger { address: address.clone(), why };
    let endpoint = create_grpc_client_endpoint(address.http(), None);
    let endpoint = endpoint.map_err(|error| stranger(error.to_string()))?;
    let channel = endpoint.connect().await.map_err(|error| stranger(error.to_string()))?;
    let mut request = tonic::Request::new(ExecuteQueryParams {
        query: Some(Query::LogicalPlan(Vec::new())),
        settings: config.to_key_value_pairs(),
        session_id: "greeting".into(),
        operation_id: String::new(),
    });
    insert_version_header(request.metadata_mut());
    match SchedulerGrpcClient::new(channel).execute_query(request).await {
        Ok(_) => Ok(()),
        Err(status) => Err(match marked(status.message()) {
            Some(message) => Error::Refused(message),
            None => stranger(status.message().into()),
        }),
    }
}
