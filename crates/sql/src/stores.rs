//! Locations of files: disks, and object stores, which are opened when a query names them.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreRegistry;
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use futures::stream::{BoxStream, StreamExt};
use object_store::aws::AmazonS3Builder;
use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{
    ClientOptions, CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload,
    ObjectMeta, ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, RetryConfig,
};
use url::{Position, Url};

/// Returns the runtime of queries, which opens object stores by their URLs.
pub fn runtime() -> Arc<RuntimeEnv> {
    let builder = RuntimeEnvBuilder::new().with_object_store_registry(Arc::new(Stores::default()));
    Arc::new(builder.build().unwrap_or_default())
}

/// The stores named so far, by scheme, host and port.
#[derive(Debug, Default)]
struct Stores {
    open: Mutex<BTreeMap<String, Arc<dyn ObjectStore>>>,
}

impl ObjectStoreRegistry for Stores {
    fn register_store(
        &self,
        url: &Url,
        store: Arc<dyn ObjectStore>,
    ) -> Option<Arc<dyn ObjectStore>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).insert(key(url), store)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        let mut stores = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(store) = stores.get(&key(url)) {
            return Ok(Arc::clone(store));
        }
        let store = open(url).map_err(DataFusionError::Configuration)?;
        stores.insert(key(url), Arc::clone(&store));
        Ok(store)
    }
}

/// The key of a store. Credentials in an address are not part of it.
fn key(url: &Url) -> String {
    format!("{}://{}", url.scheme(), &url[Position::BeforeHost..Position::AfterPort])
}

/// Opens a store. The error is a message for the user.
fn open(url: &Url) -> Result<Arc<dyn ObjectStore>, String> {
    let address = key(url);
    match url.scheme() {
        "file" => Ok(Arc::new(Store::new(LocalFileSystem::new(), Kind::Disk))),
        "s3" => open_bucket(url).map_err(|why| format!("{address}: {why}")),
        "http" | "https" => {
            let options = ClientOptions::new().with_allow_http(true);
            let store = HttpBuilder::new().with_url(&address).with_client_options(options).build();
            let store = store.map_err(|error| format!("{address}: {error}"))?;
            Ok(Arc::new(Store::new(store, Kind::Web)))
        }
        other => Err(format!(
            "{address}: files are read from disks, s3://, http:// and https://, not from {other}://"
        )),
    }
}

/// The variables that give a cloud machine its identity.
const ROLES: [&str; 3] = [
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
];

/// Opens a bucket of S3, or of a compatible service, by the usual variables.
fn open_bucket(url: &Url) -> Result<Arc<dyn ObjectStore>, String> {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let bucket = url.host_str().ok_or("the bucket's name is missing: write s3://bucket/file")?;
    match (is_set("AWS_ACCESS_KEY_ID"), is_set("AWS_SECRET_ACCESS_KEY")) {
        (true, false) => return Err(lacks("AWS_SECRET_ACCESS_KEY", "AWS_ACCESS_KEY_ID")),
        (false, true) => return Err(lacks("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")),
        _ => {}
    }
    let endpoint = ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT"];
    let plain = endpoint
        .into_iter()
        .find(|name| std::env::var(name).is_ok_and(|endpoint| endpoint.starts_with("http://")));
    if let Some(name) = plain.filter(|_| !is_set("AWS_ALLOW_HTTP")) {
        return Err(format!("{name} begins with http://; set AWS_ALLOW_HTTP=true to allow that"));
    }
    let mut builder = AmazonS3Builder::from_env().with_bucket_name(bucket);
    let known = is_set("AWS_ACCESS_KEY_ID") || is_set("AWS_SKIP_SIGNATURE");
    let kind = if known || ROLES.iter().any(|name| is_set(name)) {
        Kind::Bucket
    } else {
        // Off a cloud machine the request for credentials is not answered, and must fail quickly.
        builder = builder.with_retry(RetryConfig { max_retries: 2, ..Default::default() });
        Kind::Stranger
    };
    let store = builder.build().map_err(|error| error.to_string())?;
    Ok(Arc::new(Store::new(store, kind)))
}

fn lacks(name: &str, other: &str) -> String {
    format!("{name} is not set, but {other} is; set both")
}

/// The kind of a store, which decides the meaning of its errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Disk,
    Bucket,
    /// A bucket without credentials.
    Stranger,
    Web,
}

/// A store whose errors include a remedy.
#[derive(Debug)]
struct Store<S> {
    inner: S,
    kind: Kind,
}

impl<S: ObjectStore> Store<S> {
    fn new(inner: S, kind: Kind) -> Self {
        Self { inner, kind }
    }

    /// Adds a remedy to an error.
    fn explain(&self, error: Error) -> Error {
        explain(self.kind, error)
    }
}

/// Adds a remedy to an error.
fn explain(kind: Kind, error: Error) -> Error {
    let cure = match (kind, &error) {
        (_, Error::NotFound { .. }) => return error,
        (Kind::Stranger, _) => {
            "no credentials are set: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or \
             AWS_SKIP_SIGNATURE=true if the bucket is public"
        }
        (
            Kind::Bucket,
            Error::PermissionDenied { .. } | Error::Unauthenticated { .. } | Error::Generic { .. },
        ) => {
            "check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and, for another service \
             than Amazon's, AWS_ENDPOINT_URL"
        }
        _ => return error,
    };
    Error::Generic { store: "S3", source: format!("{cure} ({error})").into() }
}

impl<S: fmt::Display> fmt::Display for Store<S> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.fmt(formatter)
    }
}

#[async_trait]
impl<S: ObjectStore> ObjectStore for Store<S> {
    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> object_store::Result<PutResult> {
        self.inner.put_opts(location, payload, options).await.map_err(|error| self.explain(error))
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> object_store::Result<Box<dyn MultipartUpload>> {
        let upload = self.inner.put_multipart_opts(location, options).await;
        upload.map_err(|error| self.explain(error))
    }

    async fn get_opts(
        &self,
        location: &Path,
        options: GetOptions,
    ) -> object_store::Result<GetResult> {
        self.inner.get_opts(location, options).await.map_err(|error| self.explain(error))
    }

    async fn get_ranges(
        &self,
        location: &Path,
        ranges: &[Range<u64>],
    ) -> object_store::Result<Vec<Bytes>> {
        self.inner.get_ranges(location, ranges).await.map_err(|error| self.explain(error))
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, object_store::Result<Path>>,
    ) -> BoxStream<'static, object_store::Result<Path>> {
        self.inner.delete_stream(locations)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, object_store::Result<ObjectMeta>> {
        let refused = match (self.kind, prefix) {
            (Kind::Disk, Some(prefix)) => missing(prefix),
            (Kind::Web, _) => Some(Error::NotSupported {
                source: "there is no such file, and a web server cannot list its files: \
                         name the file itself"
                    .into(),
            }),
            _ => None,
        };
        if let Some(error) = refused {
            return futures::stream::once(async { Err(error) }).boxed();
        }
        let kind = self.kind;
        self.inner
            .list(prefix)
            .map(move |found| found.map_err(|error| explain(kind, error)))
            .boxed()
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> object_store::Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await.map_err(|error| self.explain(error))
    }

    async fn copy_opts(
        &self,
        from: &Path,
        to: &Path,
        options: CopyOptions,
    ) -> object_store::Result<()> {
        self.inner.copy_opts(from, to, options).await.map_err(|error| self.explain(error))
    }
}

/// Returns the error of a disk without a file or folder of this name. A store takes it for an empty
/// folder; the query would count no games instead of failing, as it must on a machine of a cluster
/// that lacks the file.
fn missing(prefix: &Path) -> Option<Error> {
    let path = std::path::Path::new("/").join(prefix.as_ref());
    let why =
        path.try_exists().map(|found| (!found).then(|| "there is no such file or folder".into()));
    let source = why.unwrap_or_else(|error| Some(error.into()))?;
    Some(Error::NotFound { path: path.display().to_string(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn store(url: &str) -> Result<Arc<dyn ObjectStore>> {
        Stores::default().get_store(&Url::parse(url).expect("a URL"))
    }

    #[tokio::test]
    async fn a_file_that_is_not_there_is_no_empty_folder() {
        let store = store("file:///").expect("the disk");
        let path = Path::from("no/such/file.parquet");
        let found: Vec<_> = store.list(Some(&path)).collect().await;
        assert!(matches!(&found[..], [Err(Error::NotFound { path, .. })]
            if path == "/no/such/file.parquet"));
    }

    #[tokio::test]
    async fn a_folder_is_listed() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("a.parquet"), b"a").expect("a file");
        let store = store("file:///").expect("the disk");
        let path = Path::from_absolute_path(folder.path()).expect("a path");
        let found: Vec<_> = store.list(Some(&path)).collect().await;
        assert_eq!(found.len(), 1);
    }

    #[tokio::test]
    async fn a_server_of_files_is_not_listed() {
        let store = store("https://example.org").expect("a store");
        let found: Vec<_> = store.list(None).collect().await;
        assert!(matches!(&found[..], [Err(Error::NotSupported { .. })]));
    }

    #[test]
    fn a_store_of_another_kind_is_refused_by_name() {
        let error = store("ftp://example.org/a.parquet").expect_err("no such store").to_string();
        assert!(error.contains("ftp://"), "{error}");
    }

    #[test]
    fn a_store_is_opened_once() {
        let stores = Stores::default();
        let open = |url: &str| stores.get_store(&Url::parse(url).expect("a URL")).expect("a store");
        let first = open("http://localhost:1/a.parquet");
        assert!(Arc::ptr_eq(&first, &open("http://localhost:1/b.parquet")));
        assert!(!Arc::ptr_eq(&first, &open("http://localhost:2/a.parquet")));
    }
}
