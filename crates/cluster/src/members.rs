//! The members of a cluster: executors of the scheduler's own version.
//!
//! An executor that lacks a function would only fail its tasks, and one with another version of a
//! function would answer differently. The scheduler therefore checks the version, which executors
//! carry in their names.

#![allow(clippy::disallowed_types, reason = "the scheduler's interface has such maps and sets")]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use ballista_core::JobId;
use ballista_core::error::{BallistaError, Result};
use ballista_core::serde::protobuf::{ExecutorHeartbeat, executor_status::Status};
use ballista_core::serde::scheduler::{ExecutorData, ExecutorMetadata};
use ballista_scheduler::cluster::memory::InMemoryClusterState;
use ballista_scheduler::cluster::{BoundTask, ClusterState, ClusterStateEventStream, ExecutorSlot};
use ballista_scheduler::config::TaskDistributionPolicy;
use ballista_scheduler::state::task_manager::JobInfoCache;

use crate::error::said;
use crate::{Say, version};

/// Separates an executor's version from the rest of its name.
const MARK: char = '/';

/// Returns a new name for an executor; there is one per process.
pub fn name(version: &str) -> String {
    format!("{version}{MARK}{}", ballista_core::ids::new_instance_id())
}

/// The executors of a cluster.
pub struct Members {
    inner: InMemoryClusterState,
    version: String,
    /// The time after which a silent executor is considered lost.
    timeout: Duration,
    register: Mutex<Register>,
    say: Say,
}

#[derive(Default)]
struct Register {
    /// Their addresses and numbers of concurrent tasks, by name.
    members: BTreeMap<String, (String, u32)>,
    /// Executors that signed off, and get no more tasks while they finish the last ones.
    leaving: BTreeSet<String>,
    /// Refused executors.
    refused: BTreeSet<String>,
}

impl Members {
    /// Creates an empty cluster.
    pub fn new(version: String, timeout: Duration, say: Say) -> Self {
        let (inner, register) = (InMemoryClusterState::default(), Mutex::default());
        Self { inner, version, timeout, register, say }
    }

    /// The number of tasks that all of them can run at once; 0 without executors.
    pub fn places(&self) -> usize {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let heard = |id: &String| {
            let beat = self.inner.get_executor_heartbeat(id);
            beat.is_some_and(|beat| beat.timestamp + self.timeout.as_secs() > now.as_secs())
        };
        let register = self.register();
        let alive = register.members.iter().filter(|(id, _)| heard(id));
        alive.map(|(_, (_, places))| usize::try_from(*places).unwrap_or(usize::MAX)).sum()
    }

    fn register(&self) -> std::sync::MutexGuard<'_, Register> {
        self.register.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits an executor, or refuses it.
    fn admit(&self, metadata: &ExecutorMetadata) -> Result<()> {
        let theirs = metadata.id.rsplit_once(MARK).map_or("", |(version, _)| version);
        let mut register = self.register();
        if theirs != self.version {
            let why = format!(
                "the executor at {}:{} is {} and its scheduler {}: install one version on all \
                 machines",
                metadata.host,
                metadata.port,
                version::name(theirs),
                version::name(&self.version),
            );
            // It keeps asking.
            if register.refused.insert(metadata.id.clone()) {
                (self.say)(&why);
            }
            return Err(BallistaError::Configuration(said(why)));
        }
        if register.leaving.contains(&metadata.id) {
            return Err(BallistaError::Configuration(said("the executor is leaving".into())));
        }
        let (place, places) =
            (format!("{}:{}", metadata.host, metadata.port), metadata.specification.vcores);
        if register.members.insert(metadata.id.clone(), (place.clone(), places)).is_none() {
            (self.say)(&format!("the executor at {place} takes {places} tasks at a time"));
        }
        Ok(())
    }
}

/// Clears the parts of the metadata that change while an executor runs.
fn settled(mut metadata: ExecutorMetadata) -> ExecutorMetadata {
    metadata.os_info.total_available_disk_space = 0;
    metadata
}

#[async_trait]
impl ClusterState for Members {
    async fn bind_schedulable_tasks(
        &self,
        distribution: TaskDistributionPolicy,
        active_jobs: Arc<HashMap<JobId, JobInfoCache>>,
        executors: Option<HashSet<String>>,
    ) -> Result<Vec<BoundTask>> {
        self.inner.bind_schedulable_tasks(distribution, active_jobs, executors).await
    }

    async fn unbind_tasks(&self, executor_slots: Vec<ExecutorSlot>) -> Result<()> {
        self.inner.unbind_tasks(executor_slots).await
    }

    async fn register_executor(
        &self,
        metadata: ExecutorMetadata,
        spec: ExecutorData,
    ) -> Result<()> {
        self.admit(&metadata)?;
        self.inner.register_executor(settled(metadata), spec).await
    }

    async fn save_executor_metadata(&self, metadata: ExecutorMetadata) -> Result<()> {
        self.admit(&metadata)?;
        self.inner.save_executor_metadata(settled(metadata)).await
    }

    async fn get_executor_metadata(&self, executor_id: &str) -> Result<ExecutorMetadata> {
        self.inner.get_executor_metadata(executor_id).await
    }

    async fn registered_executor_metadata(&self) -> Vec<ExecutorMetadata> {
        self.inner.registered_executor_metadata().await
    }

    async fn save_executor_heartbeat(&self, heartbeat: ExecutorHeartbeat) -> Result<()> {
        let status = heartbeat.status.as_ref().and_then(|status| status.status.as_ref());
        if matches!(status, Some(Status::Terminating(_))) {
            self.register().leaving.insert(heartbeat.executor_id.clone());
        }
        self.inner.save_executor_heartbeat(heartbeat).await
    }

    async fn remove_executor(&self, executor_id: &str) -> Result<()> {
        let gone = self.register().members.remove(executor_id);
        if let Some((place, _)) = gone {
            let left = self.register().leaving.contains(executor_id);
            let how = if left { "has left" } else { "is lost; its tasks go to others" };
            (self.say)(&format!("the executor at {place} {how}"));
        }
        self.inner.remove_executor(executor_id).await
    }

    fn executor_heartbeats(&self) -> HashMap<String, ExecutorHeartbeat> {
        self.inner.executor_heartbeats()
    }

    fn get_executor_heartbeat(&self, executor_id: &str) -> Option<ExecutorHeartbeat> {
        self.inner.get_executor_heartbeat(executor_id)
    }

    async fn cluster_state_events(&self) -> Result<ClusterStateEventStream> {
        self.inner.cluster_state_events().await
    }
}
