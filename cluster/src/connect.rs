//! How to reach an API server: through a kubeconfig context or the Pod's own ServiceAccount.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kube::config::{AuthInfo, Cluster, ExecAuthCluster, Kubeconfig, KubeconfigError};
use kube::{Client, Config};

use crate::Error;
use crate::place::{ApiServerAndUser, NamespaceScope, told_url};
use crate::proxy::Configured;
use crate::refusal;

/// The time limit for establishing a connection.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// A client for an API server, and the namespaces to read.
pub struct Connection {
    /// The client.
    pub client: Client,
    /// The API server and user, for messages.
    pub place: ApiServerAndUser,
    /// The namespaces to read.
    pub scope: NamespaceScope,
}

/// Which cluster to read, and which of its namespaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct ClusterChoice<'a> {
    /// The kubeconfig; `None` means where `kubectl` looks for one.
    pub kubeconfig: Option<&'a Path>,
    /// The context; `None` means the current one.
    pub context: Option<&'a str>,
    /// The namespaces; `None` means the context's.
    pub scope: Option<&'a NamespaceScope>,
}

impl Connection {
    /// Prepares a client for the requested API server; `silence` is the longest wait for more data.
    ///
    /// # Errors
    /// If no cluster is configured, or the kubeconfig cannot be used.
    pub async fn open(wanted: ClusterChoice<'_>, silence: Option<Duration>) -> Result<Self, Error> {
        let (client, place) = connect(wanted.kubeconfig, wanted.context, silence).await?;
        let of_context = || NamespaceScope::Namespace(client.default_namespace().to_owned());
        let scope = wanted.scope.cloned().unwrap_or_else(of_context);
        Ok(Self {
            client,
            place,
            scope,
        })
    }
}

/// A client for a context of a kubeconfig (by default those `kubectl` uses), or for the cluster of this Pod.
///
/// # Errors
/// As [`Connection::open`].
pub async fn connect(
    file: Option<&Path>,
    context: Option<&str>,
    silence: Option<Duration>,
) -> Result<(Client, ApiServerAndUser), Error> {
    let (mut config, place) = match read(file)? {
        Some(kubeconfig) => of_kubeconfig(kubeconfig, context)?,
        None if context.is_some() => return Err(refusal::no_kubeconfig()),
        None => of_pod()?,
    };
    config.connect_timeout = Some(CONNECT_LIMIT);
    config.read_timeout = silence;
    // Callers know for how long.
    config.default_retry = false;
    let client = Client::try_from(config).map_err(|error| refusal::unusable(&place, &error))?;
    Ok((client, place))
}

/// The kubeconfig, if there is one. A missing file is an error only if it was named explicitly.
fn read(file: Option<&Path>) -> Result<Option<Kubeconfig>, Error> {
    if let Some(file) = file {
        let read = Kubeconfig::read_from(file);
        return read
            .map(Some)
            .map_err(|error| refusal::unreadable(file, &error));
    }
    let listed = files(&env::var_os("KUBECONFIG").unwrap_or_default());
    if !listed.is_empty() {
        return merged(&listed);
    }
    match Kubeconfig::read() {
        Err(KubeconfigError::FindPath) => Ok(None),
        Err(KubeconfigError::ReadConfig(error, file)) => absent(&file, error),
        read => read
            .map(Some)
            .map_err(|error| refusal::unusable_kubeconfig(&error)),
    }
}

/// The files in the value of `$KUBECONFIG`.
fn files(listed: &OsStr) -> Vec<PathBuf> {
    let files = env::split_paths(listed);
    files.filter(|file| !file.as_os_str().is_empty()).collect()
}

/// The files that exist, as one: for each name and for the current context, the first file counts.
fn merged(files: &[PathBuf]) -> Result<Option<Kubeconfig>, Error> {
    let mut merged: Option<Kubeconfig> = None;
    for file in files {
        let mut read = match Kubeconfig::read_from(file) {
            Ok(read) => read,
            Err(KubeconfigError::ReadConfig(error, _)) => {
                absent(file, error)?;
                continue;
            }
            Err(error) => return Err(refusal::unreadable(file, &error)),
        };
        // What `kubectl config unset` leaves.
        read.current_context = read.current_context.filter(|name| !name.is_empty());
        merged = Some(match merged {
            Some(before) => before
                .merge(read)
                .map_err(|error| refusal::unreadable(file, &error))?,
            None => read,
        });
    }
    Ok(merged)
}

/// No kubeconfig, unless the file exists and cannot be read.
fn absent(file: &Path, error: io::Error) -> Result<Option<Kubeconfig>, Error> {
    if error.kind() == io::ErrorKind::NotFound {
        return Ok(None);
    }
    let error = KubeconfigError::ReadConfig(error, file.to_owned());
    Err(refusal::unreadable(file, &error))
}

fn of_kubeconfig(
    mut kubeconfig: Kubeconfig,
    context: Option<&str>,
) -> Result<(Config, ApiServerAndUser), Error> {
    let current = kubeconfig.current_context.as_deref();
    let name = context.or_else(|| current.filter(|name| !name.is_empty()));
    let known = kubeconfig.contexts.iter();
    let known: Vec<&str> = known.map(|context| context.name.as_str()).collect();
    let Some(name) = name.map(ToOwned::to_owned) else {
        return Err(refusal::no_current_context(&known));
    };
    let mut contexts = kubeconfig.contexts.iter();
    let Some(found) = contexts.find(|context| context.name == name) else {
        return Err(refusal::no_such_context(&name, &known));
    };
    let user = found
        .context
        .as_ref()
        .and_then(|context| context.user.clone());
    let user = user.unwrap_or_default();
    let cluster = found.context.as_ref();
    let cluster = cluster.map(|context| context.cluster.clone());
    let login = user_of(&kubeconfig, &user).and_then(|user| user.exec.as_ref()?.command.clone());
    let mut configured = from_environment();
    if let Some(cluster) = cluster_of(&mut kubeconfig, &user, &cluster.unwrap_or_default()) {
        configured.of_cluster = cluster.proxy_url.clone().unwrap_or_default();
    }
    let mut config =
        configure(&kubeconfig, &name).map_err(|error| refusal::unusable_kubeconfig(&error))?;
    config.proxy_url = configured.proxy(&config.cluster_url)?;
    let place = ApiServerAndUser {
        url: address(&config),
        context: Some((name, user)),
        login,
    };
    Ok((config, place))
}

/// The configuration of a context, as `Config::from_custom_kubeconfig` makes it, but for proxies: that one refuses what
/// is common in `$NO_PROXY`, and looks there for the proxy and not for the API server.
fn configure(kubeconfig: &Kubeconfig, name: &str) -> Result<Config, KubeconfigError> {
    let mut contexts = kubeconfig.contexts.iter();
    let context = contexts.find(|context| context.name == name);
    let context = context.and_then(|found| found.context.as_ref());
    let context = context.ok_or_else(|| KubeconfigError::LoadContext(name.to_owned()))?;
    let mut clusters = kubeconfig.clusters.iter();
    let cluster = clusters.find(|cluster| cluster.name == context.cluster);
    let cluster = cluster.and_then(|found| found.cluster.as_ref());
    let cluster =
        cluster.ok_or_else(|| KubeconfigError::LoadClusterOfContext(context.cluster.clone()))?;
    let server = cluster.server.as_ref();
    let server = server.ok_or(KubeconfigError::MissingClusterUrl)?.parse();
    let mut config = Config::new(server.map_err(KubeconfigError::ParseClusterUrl)?);
    if let Some(namespace) = &context.namespace {
        config.default_namespace.clone_from(namespace);
    }
    config.accept_invalid_certs = cluster.insecure_skip_tls_verify.unwrap_or_default();
    config.disable_compression = cluster.disable_compression.unwrap_or_default();
    config.tls_server_name.clone_from(&cluster.tls_server_name);
    // The only public way to load the certificates, from the kubeconfig or a file.
    let loaded = ExecAuthCluster::try_from(cluster)?;
    if let Some(certificates) = &loaded.certificate_authority_data {
        let all = pem::parse_many(certificates).map_err(KubeconfigError::ParseCertificates)?;
        let all = all.into_iter().filter(|block| block.tag() == "CERTIFICATE");
        config.root_cert = Some(all.map(pem::Pem::into_contents).collect());
    }
    let user = context.user.as_deref().unwrap_or_default();
    config.auth_info = user_of(kubeconfig, user).cloned().unwrap_or_default();
    if let Some(login) = &mut config.auth_info.exec
        && login.provide_cluster_info
    {
        login.cluster = Some(loaded);
    }
    Ok(config)
}

fn user_of<'k>(kubeconfig: &'k Kubeconfig, name: &str) -> Option<&'k AuthInfo> {
    let mut users = kubeconfig.auth_infos.iter();
    users.find(|user| user.name == name)?.auth_info.as_ref()
}

/// A cluster, whose server has a scheme: without one, as in `kubectl`, it speaks TLS if certificates are configured.
fn cluster_of<'k>(
    kubeconfig: &'k mut Kubeconfig,
    user: &str,
    name: &str,
) -> Option<&'k mut Cluster> {
    let user = user_of(kubeconfig, user);
    let has_certificate = user.is_some_and(|user| {
        user.client_certificate.is_some() || user.client_certificate_data.is_some()
    });
    let mut clusters = kubeconfig.clusters.iter_mut();
    let found = clusters.find(|cluster| cluster.name == name)?;
    let cluster = found.cluster.as_mut()?;
    let is_tls = has_certificate
        || cluster.certificate_authority.is_some()
        || cluster.certificate_authority_data.is_some()
        || cluster.insecure_skip_tls_verify == Some(true);
    let server = cluster.server.as_mut();
    if let Some(server) = server.filter(|server| !server.is_empty() && !server.contains("://")) {
        let scheme = if is_tls { "https" } else { "http" };
        *server = format!("{scheme}://{server}");
    }
    Some(cluster)
}

/// The proxy and its exemptions in the environment; names in capitals win.
fn from_environment() -> Configured {
    let value = |names: [&str; 2]| {
        let values = names.into_iter().filter_map(env::var_os);
        let mut values = values.filter_map(|value| value.into_string().ok());
        values.find(|value| !value.is_empty()).unwrap_or_default()
    };
    Configured {
        of_cluster: String::new(),
        of_environment: value(["HTTPS_PROXY", "https_proxy"]),
        exempt: value(["NO_PROXY", "no_proxy"]),
    }
}

fn of_pod() -> Result<(Config, ApiServerAndUser), Error> {
    // Outside a Pod, the kubeconfig is what is missing.
    let config = Config::incluster().map_err(|_| refusal::no_kubeconfig())?;
    let url = address(&config);
    let (context, login) = (None, None);
    Ok((
        config,
        ApiServerAndUser {
            url,
            context,
            login,
        },
    ))
}

fn address(config: &Config) -> String {
    told_url(&config.cluster_url.to_string())
}
