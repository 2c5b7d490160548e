//! The executor: it asks a scheduler for tasks, runs them, and keeps their results for others to
//! fetch.

use std::net::{SocketAddr, TcpListener};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow_flight::flight_service_server::FlightServiceServer;
use ballista_core::config::TaskSchedulingPolicy;
use ballista_core::error::BallistaError;
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_core::serde::protobuf::PollWorkParams;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::utils::{create_grpc_client_endpoint, create_grpc_server};
use ballista_core::{ConfigProducer, RuntimeProducer};
use ballista_executor::ArrowFlightServerProvider;
use ballista_executor::execution_engine::DefaultExecutionEngine;
use ballista_executor::executor_process::{
    ExecutorProcessConfig, start_executor_process, structure_executor_metadata,
};
use ballista_executor::flight_service::BallistaFlightService;
use ballista_executor::health::ExecutorHealth;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::SessionConfig;
use tokio::sync::Mutex;
use tonic::transport::server::TcpIncoming;

use crate::address::Address;
use crate::connections::Connections;
use crate::engine::Engine;
use crate::error::{Error, marked};
use crate::scheduler::session;
use crate::{Say, members, version};

/// How long to wait for a scheduler at the start: the machines of a cluster start in any order.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often the scheduler's health is checked.
const WATCH: Duration = Duration::from_millis(500);

/// How long the last tasks may continue after a stop request.
const GOOD_BYE: Duration = Duration::from_millis(700);

/// The configuration of an executor.
pub struct Executor {
    /// Its scheduler.
    pub scheduler: Address,
    /// The address of this machine at which others fetch results.
    pub host: String,
    /// The port; 0 for any free port.
    pub port: u16,
    /// The number of concurrent tasks.
    pub tasks: NonZeroUsize,
    /// The memory limit of all tasks together, in bytes; `None` for most of the machine's memory.
    pub memory: Option<u64>,
    /// An empty folder for results.
    pub folder: PathBuf,
    /// Receives its events.
    pub say: Say,
    /// Whether the begin and end of tasks are events.
    pub verbose: bool,
}

impl Executor {
    /// Works until `stop` completes, and calls `joined` with its address once the scheduler has
    /// accepted it. While the scheduler does not answer, it reports that and retries.
    ///
    /// # Errors
    /// Returns an error if the port is taken, if no scheduler answers at the start, or if the
    /// scheduler refuses the executor.
    pub async fn run(
        self,
        joined: impl FnOnce(SocketAddr),
        stop: impl Future<Output = ()>,
    ) -> Result<(), Error> {
        let work = async {
            let bound = TcpListener::bind((self.host.as_str(), self.port));
            let listener = bound.map_err(|error| Error::port(&self.host, self.port, &error))?;
            let ended = |error: std::io::Error| Error::Ended(error.to_string());
            let address = listener.local_addr().map_err(ended)?;
            listener.set_nonblocking(true).map_err(ended)?;
            let listener = tokio::net::TcpListener::from_std(listener).map_err(ended)?;
            self.await_scheduler().await?;
            let config = Arc::new(self.config(address, listener));
            self.introduce(&config).await?;
            joined(address);
            tokio::select! {
                ended = process(Arc::clone(&config)) => Err(ended),
                refused = self.watch(&config) => Err(refused),
            }
        };
        tokio::pin!(work, stop);
        tokio::select! {
            done = &mut work => return done,
            () = &mut stop => {}
        }
        // The signal that completed `stop` also makes the executor sign off.
        let _ = tokio::time::timeout(GOOD_BYE, work).await;
        Ok(())
    }

    /// Waits until the scheduler answers.
    async fn await_scheduler(&self) -> Result<(), Error> {
        let begun = Instant::now();
        let mut told = false;
        loop {
            match self.scheduler.call().await {
                Ok(()) => return Ok(()),
                Err(error) if begun.elapsed() > PATIENCE => return Err(error),
                Err(_) if told => {}
                Err(_) => {
                    let seconds = PATIENCE.as_secs();
                    (self.say)(&format!(
                        "no scheduler answers at {}; waiting for up to {seconds} s",
                        self.scheduler
                    ));
                    told = true;
                }
            }
            tokio::time::sleep(WATCH).await;
        }
    }

    /// Introduces the executor to the scheduler, without asking for a task.
    async fn introduce(&self, config: &Arc<ExecutorProcessConfig>) -> Result<(), Error> {
        let address = self.scheduler.clone();
        let stranger = |why: String| Error::Stranger { address: address.clone(), why };
        let endpoint = create_grpc_client_endpoint(self.scheduler.http(), None);
        let endpoint = endpoint.map_err(|error| stranger(error.to_string()))?;
        let channel = endpoint.connect().await.map_err(|error| stranger(error.to_string()))?;
        let places = u32::try_from(config.vcores).unwrap_or(u32::MAX);
        let asked = SchedulerGrpcClient::new(channel)
            .poll_work(PollWorkParams {
                metadata: Some(structure_executor_metadata(config, places)),
                num_free_vcores: 0,
                task_status: Vec::new(),
            })
            .await;
        asked.map(drop).map_err(|status| match marked(status.message()) {
            Some(message) => Error::Refused(message),
            None => stranger(status.message().into()),
        })
    }

    /// Reports when the scheduler stops answering, and when it answers again; ends if one of
    /// another version has taken its place.
    async fn watch(&self, config: &Arc<ExecutorProcessConfig>) -> Error {
        let address = &self.scheduler;
        let mut heard = true;
        // The first answer may be pending.
        tokio::time::sleep(WATCH).await;
        loop {
            tokio::time::sleep(WATCH).await;
            let hears = config.health.is_ready();
            if !hears && heard {
                (self.say)(&format!("the scheduler at {address} does not answer; retrying"));
            } else if hears && !heard {
                (self.say)(&format!("the scheduler at {address} answers again"));
            }
            heard = hears;
            if !hears && let Err(error @ Error::Refused(_)) = self.introduce(config).await {
                return error;
            }
        }
    }

    fn config(
        &self,
        address: SocketAddr,
        listener: tokio::net::TcpListener,
    ) -> ExecutorProcessConfig {
        let place = if address.ip().is_unspecified() {
            format!("port {}", address.port())
        } else {
            address.to_string()
        };
        let engine = Engine {
            inner: DefaultExecutionEngine::with_client_pool(Arc::new(Connections::default())),
            place,
            say: self.verbose.then(|| Arc::clone(&self.say)),
        };
        let ip = if address.is_ipv6() {
            format!("[{}]", address.ip())
        } else {
            address.ip().to_string()
        };
        ExecutorProcessConfig {
            executor_id: members::name(&version::version()),
            bind_host: ip,
            // If it listens at all addresses, its own is the one seen by the scheduler.
            external_host: (!address.ip().is_unspecified()).then(|| self.host.clone()),
            port: address.port(),
            // It receives no calls: it asks for tasks.
            grpc_port: 0,
            scheduler_host: self.scheduler.host.clone(),
            scheduler_port: self.scheduler.port,
            vcores: self.tasks.get(),
            task_scheduling_policy: TaskSchedulingPolicy::PullStaged,
            work_dir: Some(self.folder.to_string_lossy().into_owned()),
            memory_pool_size: self.memory,
            override_execution_engine: Some(Arc::new(engine)),
            override_function_registry: Some(Arc::new(registry())),
            override_runtime_producer: Some(self.runtime()),
            override_config_producer: Some(settings()),
            override_arrow_flight_service: Some(results(listener)),
            health: ExecutorHealth::new(),
            ..ExecutorProcessConfig::default()
        }
    }

    /// The runtime of tasks: it opens the same object stores as a client, and spills to the
    /// executor's folder.
    fn runtime(&self) -> RuntimeProducer {
        let folder = self.folder.clone();
        Arc::new(move |_: &SessionConfig| {
            let builder = RuntimeEnvBuilder::from_runtime_env(&plypack_sql::runtime());
            builder.with_temp_file_path(folder.clone()).build_arc()
        })
    }
}

/// Runs tasks until something ends it.
async fn process(config: Arc<ExecutorProcessConfig>) -> Error {
    match start_executor_process(config).await {
        Err(error) => Error::Ended(error.to_string()),
        Ok(()) => {
            // It received the signal too, perhaps before `stop` did.
            tokio::time::sleep(WATCH).await;
            Error::Ended("its services stopped".into())
        }
    }
}

/// The settings of sessions, before a query's own settings.
fn settings() -> ConfigProducer {
    use ballista_core::extension::SessionConfigExt;
    Arc::new(|| plypack_sql::configure(SessionConfig::new_with_ballista()))
}

/// All functions: the engine's own, and those on games.
fn registry() -> BallistaFunctionRegistry {
    BallistaFunctionRegistry::from(&session(settings()()))
}

/// Serves results at an already bound port, so that the port is known and reserved.
fn results(listener: tokio::net::TcpListener) -> Arc<ArrowFlightServerProvider> {
    let listener = Arc::new(Mutex::new(Some(listener)));
    Arc::new(move |folder, _, mut shutdown, config| {
        let listener = Arc::clone(&listener);
        tokio::spawn(async move {
            let Some(listener) = listener.lock().await.take() else { return Ok(()) };
            let service = FlightServiceServer::new(BallistaFlightService::new(folder));
            let server = create_grpc_server(&config).add_service(service);
            let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
            let served = server.serve_with_incoming_shutdown(incoming, shutdown.recv()).await;
            served.map_err(BallistaError::TonicError)
        })
    })
}
