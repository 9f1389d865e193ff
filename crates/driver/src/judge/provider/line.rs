//! The connection a question goes over.
//!
//! The client library reads an answer to its end, however long. So it is handed a socket of ours in
//! a folder nobody else can enter, and what goes over it is carried to the server and back here:
//! exactly one connection, at most [`REPLY_MAX`] bytes back, and nothing once the question is
//! dropped. TLS runs through it unopened. Where there are no such sockets (Windows) the library
//! connects by itself, and only the question's time bounds an answer.

use super::failure::Trouble;

/// Bytes a server may send in all. A reply is read up to 256 KiB, escaped at most six times that;
/// the rest is for what a model thinks aloud.
#[cfg(unix)]
const REPLY_MAX: u64 = 2 * 1024 * 1024;

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    host: String,
    port: u16,
}

impl Address {
    /// The address in an endpoint of the client library.
    pub(super) fn of(endpoint: &str) -> Result<Self, Trouble> {
        let unusable = || Trouble::environment(format!("`{endpoint}` is not a server's address"));
        let url = reqwest::Url::parse(endpoint).map_err(|_| unusable())?;
        let host = url.host_str().ok_or_else(unusable)?;
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self { host, port: url.port_or_known_default().ok_or_else(unusable)? })
    }
}

#[cfg(unix)]
pub(super) use unix::Line;

#[cfg(unix)]
mod unix {
    use std::fs::Permissions;
    use std::io;
    use std::net::SocketAddr;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;
    use std::time::Duration;

    use tempfile::TempDir;
    use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
    use tokio::net::{TcpStream, UnixListener};

    use super::{Address, REPLY_MAX, Trouble};

    /// How long one of several addresses of a host may take to answer before the next is tried.
    const DIAL: Duration = Duration::from_secs(3);

    /// A socket that one connection is taken from.
    #[derive(Debug)]
    pub(crate) struct Line {
        folder: TempDir,
        socket: UnixListener,
    }

    impl Line {
        pub(crate) fn open() -> Result<Self, Trouble> {
            Self::bind().map_err(|error| Trouble::environment(format!("open a socket: {error}")))
        }

        fn bind() -> io::Result<Self> {
            let only_ours = Permissions::from_mode(0o700);
            let folder =
                tempfile::Builder::new().prefix("quittance-").permissions(only_ours).tempdir()?;
            let socket = UnixListener::bind(path(&folder))?;
            Ok(Self { folder, socket })
        }

        /// Makes a client talk over this socket and no other way.
        pub(crate) fn lay(&self, client: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
            client.unix_socket(path(&self.folder))
        }

        /// Carries one connection until the server ends it.
        pub(crate) async fn carry(self, address: &Address) -> Result<(), Trouble> {
            let Address { host, port } = address;
            let unreachable =
                |cause| Trouble::environment(format!("reach `{host}` port {port}: {cause}"));
            let accepted = self.socket.accept().await;
            let (near, _) = accepted.map_err(unreachable)?;
            // From here on nobody can take a second connection.
            drop(self);
            let far = dial(address).await.map_err(unreachable)?;
            let (ask, answer) = near.into_split();
            let (said, told) = far.into_split();
            tokio::select! {
                carried = back(said, answer) => carried,
                never = forth(ask, told) => never,
            }
        }
    }

    fn path(folder: &TempDir) -> PathBuf {
        folder.path().join("line")
    }

    async fn dial(address: &Address) -> io::Result<TcpStream> {
        let found = tokio::net::lookup_host((address.host.as_str(), address.port)).await?;
        let found: Vec<SocketAddr> = found.collect();
        let Some((last, others)) = found.split_last() else {
            return Err(io::Error::other("the name has no address"));
        };
        for other in others {
            if let Ok(Ok(stream)) = tokio::time::timeout(DIAL, TcpStream::connect(other)).await {
                return Ok(stream);
            }
        }
        TcpStream::connect(last).await
    }

    /// What the server says, to its end or the bound.
    async fn back(
        said: impl AsyncRead + Unpin,
        mut answer: impl AsyncWrite + Unpin,
    ) -> Result<(), Trouble> {
        let carried = tokio::io::copy(&mut said.take(REPLY_MAX), &mut answer).await;
        if carried.is_ok_and(|bytes| bytes == REPLY_MAX) {
            return Err(Trouble::other(format!("the answer is longer than {REPLY_MAX} bytes")));
        }
        // A connection that broke ends as one that was closed: the reader knows what it lacks.
        let _closed = answer.shutdown().await;
        Ok(())
    }

    /// What is asked. It never ends the exchange: a server may answer before it has read it all.
    async fn forth(
        mut ask: impl AsyncRead + Unpin,
        mut told: impl AsyncWrite + Unpin,
    ) -> Result<(), Trouble> {
        let _carried = tokio::io::copy(&mut ask, &mut told).await;
        std::future::pending().await
    }
}

#[cfg(not(unix))]
pub(super) use direct::Line;

#[cfg(not(unix))]
mod direct {
    use super::{Address, Trouble};

    /// No line: the client library connects by itself.
    #[derive(Debug)]
    pub(crate) struct Line;

    impl Line {
        pub(crate) const fn open() -> Result<Self, Trouble> {
            Ok(Self)
        }

        pub(crate) fn lay(&self, client: reqwest::ClientBuilder) -> reqwest::ClientBuilder {
            client
        }

        pub(crate) async fn carry(self, _address: &Address) -> Result<(), Trouble> {
            std::future::pending().await
        }
    }
}
