//! Queries on many machines, with Ballista's processes and the additions of this crate.
//!
//! Scheduler, executors and clients must have the same build. Paths must mean the same files on all of them.

use crate::codecs::{LogicalCodec, PhysicalCodec};
use crate::functions::{Settings, register};
use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::registry::BallistaFunctionRegistry;
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use ballista_scheduler::cluster::BallistaCluster;
use ballista_scheduler::config::SchedulerConfig;
use ballista_scheduler::scheduler_process::start_server;
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::{SessionState, SessionStateBuilder};
use datafusion::prelude::{SessionConfig, SessionContext};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

/// A scheduler.
#[derive(Debug, Clone)]
pub struct Scheduler {
    /// The address that it listens on.
    pub listen: SocketAddr,
    /// The name by which executors and clients reach it.
    pub name: String,
    /// The seconds after which a silent executor is abandoned.
    pub patience: u64,
}

/// An executor.
#[derive(Debug, Clone)]
pub struct Executor {
    /// The host and the port of the scheduler.
    pub scheduler: (String, u16),
    /// The address that it listens on.
    pub listen: IpAddr,
    /// The name by which the other processes reach it.
    pub name: String,
    /// The port for results.
    pub port: u16,
    /// The port for the scheduler.
    pub grpc_port: u16,
    /// The number of tasks at a time; 0 for the number of cores.
    pub tasks: usize,
    /// The directory for results between two stages.
    pub folder: PathBuf,
    /// The memory of the operators, in bytes; `None` for 70 % of the machine's.
    pub memory: Option<u64>,
    /// The seconds between two signs of life.
    pub heartbeat: u64,
}

impl Scheduler {
    /// Runs until the process ends.
    ///
    /// # Errors
    /// Fails if it cannot listen on its address.
    pub async fn run(self) -> Result<()> {
        let config = SchedulerConfig {
            bind_host: self.listen.ip().to_string(),
            bind_port: self.listen.port(),
            external_host: self.name,
            executor_timeout_seconds: self.patience,
            expire_dead_executor_interval_seconds: (self.patience / 4).clamp(1, 15),
            no_executors_grace_period_seconds: self.patience,
            override_logical_codec: Some(Arc::new(LogicalCodec::default())),
            override_physical_codec: Some(Arc::new(PhysicalCodec::default())),
            override_session_builder: Some(Arc::new(|config| Ok(state(config)))),
            ..SchedulerConfig::default()
        };
        let cluster = BallistaCluster::new_from_config(&config).await.map_err(external)?;
        start_server(cluster, self.listen, Arc::new(config)).await.map_err(external)
    }
}

impl Executor {
    /// Runs until the process ends.
    ///
    /// # Errors
    /// Fails if it cannot listen on its address, or reach the scheduler.
    pub async fn run(self) -> Result<()> {
        let Some(folder) = self.folder.to_str() else {
            return Err(DataFusionError::Configuration(format!("the folder {:?} is not UTF-8", self.folder)));
        };
        let config = ExecutorProcessConfig {
            bind_host: self.listen.to_string(),
            external_host: Some(self.name),
            port: self.port,
            grpc_port: self.grpc_port,
            scheduler_host: self.scheduler.0,
            scheduler_port: self.scheduler.1,
            scheduler_connect_timeout_seconds: 30,
            vcores: self.tasks,
            work_dir: Some(folder.to_owned()),
            memory_pool_size: self.memory,
            executor_heartbeat_interval_seconds: self.heartbeat,
            // An executor has only the functions in its registry.
            override_function_registry: Some(Arc::new(BallistaFunctionRegistry::from(&state(config(None))))),
            override_logical_codec: Some(Arc::new(LogicalCodec::default())),
            override_physical_codec: Some(Arc::new(PhysicalCodec::default())),
            ..ExecutorProcessConfig::default()
        };
        start_executor_process(Arc::new(config)).await.map_err(external)
    }
}

/// Creates a session whose queries run on a cluster. `partitions` is the number of parts that a table is split into; `None` for the number
/// of cores of this machine.
///
/// # Errors
/// Fails if the scheduler cannot be reached.
pub async fn connect(scheduler: &str, partitions: Option<usize>, settings: &Settings) -> Result<SessionContext> {
    let context = SessionContext::remote_with_state(&format!("df://{scheduler}"), state(config(partitions))).await?;
    register(&context, settings);
    Ok(context)
}

/// Creates a session whose scheduler and executor are threads of this process, for tests.
///
/// # Errors
/// Fails if they cannot listen on a port.
pub async fn standalone(partitions: Option<usize>, settings: &Settings) -> Result<SessionContext> {
    let config = config(partitions).with_ballista_standalone_parallelism(2);
    let context = SessionContext::standalone_with_state(state(config)).await?;
    register(&context, settings);
    Ok(context)
}

fn config(partitions: Option<usize>) -> SessionConfig {
    let config = SessionConfig::new_with_ballista()
        .with_ballista_logical_extension_codec(Arc::new(LogicalCodec::default()))
        .with_ballista_physical_extension_codec(Arc::new(PhysicalCodec::default()));
    match partitions {
        Some(partitions) => config.with_target_partitions(partitions),
        None => config,
    }
}

/// Returns a state with the functions of DataFusion and of this crate.
fn state(config: SessionConfig) -> SessionState {
    let state = SessionStateBuilder::new().with_config(config).with_default_features().build();
    let context = SessionContext::new_with_state(state);
    register(&context, &Settings::default());
    context.state()
}

fn external(error: impl std::error::Error + Send + Sync + 'static) -> DataFusionError {
    DataFusionError::External(Box::new(error))
}
