//! The scheduler: it takes queries, plans them, and assigns tasks to executors.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use ballista_core::ConfigProducer;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::extension::SessionConfigExt;
use ballista_scheduler::SessionBuilder;
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::cluster::memory::InMemoryJobState;
use ballista_scheduler::config::{SchedulerConfig, TaskDistributionPolicy};
use ballista_scheduler::scheduler_process::{create_scheduler, start_grpc_service_with_listener};
use ballista_scheduler::state::session_manager::share_file_statistics_cache;
use datafusion::error::DataFusionError;
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::SessionConfig;
use datafusion_proto::protobuf::{LogicalPlanNode, PhysicalPlanNode};
use plypack_sql::functions;

use crate::error::{Error, said};
use crate::members::Members;
use crate::version::Claim;
use crate::{Say, version};

/// How long executors keep results for clients to fetch.
const RESULTS_KEPT: Duration = Duration::from_secs(3_600);

/// The number of tasks of a query for each one that can run at once: few enough to cost little, and
/// enough to balance the load, as a row group is never split and some tasks get one more than
/// others.
const TASKS_EACH: usize = 4;

/// A listening scheduler.
pub struct Scheduler {
    listener: TcpListener,
    timeout: Duration,
    say: Say,
}

impl Scheduler {
    /// Listens at a port of a host; 0 for any free port. An executor that is silent for `timeout`
    /// is considered lost.
    ///
    /// # Errors
    /// Returns an error if the port is taken.
    pub fn bind(host: &str, port: u16, timeout: Duration, say: Say) -> Result<Self, Error> {
        let bound = TcpListener::bind((host, port));
        let listener = bound.map_err(|error| Error::port(host, port, &error))?;
        Ok(Self { listener, timeout, say })
    }

    /// The address at which it listens.
    ///
    /// # Errors
    /// Returns an error if the system does not report it.
    pub fn address(&self) -> Result<SocketAddr, Error> {
        self.listener.local_addr().map_err(|error| Error::Ended(error.to_string()))
    }

    /// Serves clients and executors indefinitely.
    ///
    /// # Errors
    /// Returns an error if the system ends it.
    pub async fn serve(self) -> Result<(), Error> {
        let address = self.address()?;
        let ended = |error: &dyn std::fmt::Display| Error::Ended(error.to_string());
        self.listener.set_nonblocking(true).map_err(|error| ended(&error))?;
        let listener = tokio::net::TcpListener::from_std(self.listener);
        let listener = listener.map_err(|error| ended(&error))?;

        let seconds = self.timeout.as_secs().max(1);
        let config = SchedulerConfig {
            external_host: address.ip().to_string(),
            bind_host: address.ip().to_string(),
            bind_port: address.port(),
            // Executors ask for tasks, so they need be reachable only for results.
            scheduling_policy: TaskSchedulingPolicy::PullStaged,
            task_distribution: TaskDistributionPolicy::RoundRobin,
            executor_timeout_seconds: seconds,
            no_executors_grace_period_seconds: seconds,
            expire_dead_executor_interval_seconds: (seconds / 4).clamp(1, 15),
            finished_job_data_clean_up_interval_seconds: RESULTS_KEPT.as_secs(),
            finished_job_state_clean_up_interval_seconds: 2 * RESULTS_KEPT.as_secs(),
            ..SchedulerConfig::default()
        };
        let members = Arc::new(Members::new(version::version(), self.timeout, self.say));
        let jobs = InMemoryJobState::new(
            config.scheduler_id.clone(),
            share_file_statistics_cache(sessions(Arc::clone(&members))),
            settings(),
        );
        let cluster = BallistaCluster::new(members, Arc::new(jobs));
        let scheduler =
            create_scheduler::<LogicalPlanNode, PhysicalPlanNode>(cluster, Arc::new(config));
        let scheduler = scheduler.await.map_err(|error| ended(&error))?;
        let served = start_grpc_service_with_listener(listener, scheduler).await;
        served.map_err(|error| ended(&error))
    }
}

/// The settings of sessions, before a client's own settings.
fn settings() -> ConfigProducer {
    Arc::new(|| {
        let config = plypack_sql::configure(SessionConfig::new_with_ballista());
        config.with_option_extension(Claim::default())
    })
}

/// Creates a session for each query, or reports why it cannot run.
fn sessions(members: Arc<Members>) -> SessionBuilder {
    let ours = version::version();
    Arc::new(move |config: SessionConfig| {
        let refuse = |why: String| Err(DataFusionError::Configuration(said(why)));
        let theirs = Claim::of(&config);
        if theirs != ours {
            return refuse(format!(
                "the client is {} and the scheduler {}: install one version on all machines",
                version::name(&theirs),
                version::name(&ours),
            ));
        }
        let places = members.places();
        if places == 0 {
            return refuse(
                "the cluster has no executors; start one with `plypack executor --scheduler \
                 HOST:PORT` on each worker machine"
                    .into(),
            );
        }
        Ok(session(config.with_target_partitions(places.saturating_mul(TASKS_EACH))))
    })
}

/// Creates a session with the functions registered.
pub(crate) fn session(config: SessionConfig) -> SessionState {
    let builder = SessionStateBuilder::new().with_config(config);
    let builder = builder.with_runtime_env(plypack_sql::runtime()).with_default_features();
    let mut state = builder.build();
    for function in functions::all() {
        // Replaces a function of the same name.
        let _ = datafusion::execution::FunctionRegistry::register_udf(&mut state, function);
    }
    state
}
