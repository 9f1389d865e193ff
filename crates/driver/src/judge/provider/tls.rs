//! Who a server has to be: one that the machine's own certificate store vouches for.

use std::sync::Arc;

use rustls::ClientConfig;
use rustls::crypto::ring;
use rustls_platform_verifier::BuilderVerifierExt;

/// The client's side of TLS. It is handed over whole, so that a process keeps the default that its
/// own program has chosen, or none.
pub(super) fn config() -> Result<ClientConfig, rustls::Error> {
    let primitives = Arc::new(ring::default_provider());
    let versions =
        ClientConfig::builder_with_provider(primitives).with_safe_default_protocol_versions()?;
    Ok(versions.with_platform_verifier()?.with_no_client_auth())
}
