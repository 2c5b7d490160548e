//! Connections to other executors, kept for the next fetch: a query that sorts or groups fetches
//! from each of them many times, and a new connection each time would exhaust the ports.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use ballista_core::client::BallistaClient;
use ballista_core::client_pool::{BallistaClientPool, PooledClient};
use ballista_core::error::Result;
use ballista_core::extension::BallistaConfigGrpcEndpoint;
use ballista_core::utils::GrpcClientConfig;

/// How long an idle connection stays open.
const IDLE: Duration = Duration::from_secs(30);

type Idle = Mutex<BTreeMap<String, Vec<(BallistaClient, Instant)>>>;

/// The idle connections.
#[derive(Clone, Default)]
pub struct Connections {
    idle: Arc<Idle>,
}

impl fmt::Debug for Connections {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Connections")
    }
}

#[async_trait]
impl BallistaClientPool for Connections {
    async fn acquire(
        &self,
        host: &str,
        port: u16,
        config: &GrpcClientConfig,
        customize: Option<Arc<BallistaConfigGrpcEndpoint>>,
    ) -> Result<PooledClient> {
        self.evict_idle().await;
        // Connections with different settings are different.
        let key = format!("{host}:{port} {config:?}");
        let kept = self.locked().get_mut(&key).and_then(Vec::pop);
        let client = match kept {
            Some((client, _)) => client,
            None => {
                let client = BallistaClient::try_new(
                    host,
                    port,
                    config.max_message_size,
                    config.use_tls,
                    customize,
                    config.io_retries_times,
                    config.io_retry_wait_time_ms,
                    config.initial_connection_window_size,
                    config.initial_stream_window_size,
                );
                client.await?
            }
        };
        let home = self.clone();
        let give_back = move |client| {
            home.locked().entry(key).or_default().push((client, Instant::now()));
        };
        Ok(PooledClient::new(client, Box::new(give_back)))
    }

    async fn evict_idle(&self) {
        self.locked().retain(|_, clients| {
            clients.retain(|(_, since)| since.elapsed() < IDLE);
            !clients.is_empty()
        });
    }
}

impl Connections {
    fn locked(
        &self,
    ) -> std::sync::MutexGuard<'_, BTreeMap<String, Vec<(BallistaClient, Instant)>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
