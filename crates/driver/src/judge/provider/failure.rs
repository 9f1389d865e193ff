//! Why there is no reply, from what the client library and the server say.
//!
//! What a server says is foreign text: it is repeated on one line, clipped, and without the key.
//! Only the status decides what kind of failure it is.

use std::error::Error;

use genai::Error as ClientError;
use genai::webc::Error as WebError;
use quittance_evidence::clip;
use quittance_judge::machine::Failure;
use reqwest::StatusCode;
use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

/// Characters of a message; a person reads it whole.
const MESSAGE_CHARS_MAX: usize = 600;
/// Characters of what a server says.
const SAID_CHARS_MAX: usize = 300;
/// Characters of a header's value: a date has fewer.
const HEADER_CHARS_MAX: usize = 40;

/// A failure and its words, which may still hold the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Trouble {
    failure: Failure,
    message: String,
}

impl Trouble {
    fn new(failure: Failure, message: impl Into<String>) -> Self {
        Self { failure, message: message.into() }
    }

    pub(super) fn auth(message: impl Into<String>) -> Self {
        Self::new(Failure::Auth, message)
    }

    pub(super) fn environment(message: impl Into<String>) -> Self {
        Self::new(Failure::Environment, message)
    }

    pub(super) fn timeout(message: impl Into<String>) -> Self {
        Self::new(Failure::Timeout, message)
    }

    pub(super) fn other(message: impl Into<String>) -> Self {
        Self::new(Failure::Other, message)
    }

    /// The failure as it is told: without the key, then clipped, so that no part of a key is left.
    pub(super) fn told(self, scrub: impl Fn(&str) -> String) -> (Failure, String) {
        let scrubbed = one_line(&scrub(&self.message));
        (self.failure, clip::head(&scrubbed, MESSAGE_CHARS_MAX).to_owned())
    }
}

/// What an error of the client library amounts to.
pub(super) fn of(error: &ClientError, has_key: bool) -> Trouble {
    match error {
        ClientError::WebModelCall { webc_error, .. }
        | ClientError::WebAdapterCall { webc_error, .. } => web(webc_error, has_key),
        ClientError::HttpError { status, body, headers, .. } => {
            Answer { status: *status, body, headers }.trouble(has_key)
        }
        ClientError::RequiresApiKey { .. }
        | ClientError::NoAuthResolver { .. }
        | ClientError::NoAuthData { .. }
        | ClientError::Resolver { .. } => Trouble::auth(error.to_string()),
        // Its own words hold the whole question.
        ClientError::ChatResponseGeneration { cause, .. } => {
            Trouble::other(format!("the answer is not in the provider's form: {cause}"))
        }
        ClientError::AdapterNotSupported { .. } | ClientError::ClientBuildFail { .. } => {
            Trouble::environment(error.to_string())
        }
        _ => Trouble::other(format!("the answer cannot be read: {error}")),
    }
}

fn web(error: &WebError, has_key: bool) -> Trouble {
    match error {
        WebError::ResponseFailedStatus { status, body, headers } => {
            Answer { status: *status, body, headers }.trouble(has_key)
        }
        WebError::ResponseFailedNotJson { content_type, .. } => {
            let content_type = clip::head(content_type, HEADER_CHARS_MAX);
            Trouble::other(format!("the answer is not JSON but `{content_type}`"))
        }
        WebError::ResponseFailedInvalidJson { cause, .. } => {
            Trouble::other(format!("the answer is called JSON and is not: {cause}"))
        }
        WebError::JsonValueExt(cause) => {
            Trouble::other(format!("the answer is not in the provider's form: {cause}"))
        }
        WebError::Reqwest(cause) => connection(cause),
    }
}

/// What a connection that failed amounts to.
pub(super) fn connection(error: &reqwest::Error) -> Trouble {
    let cause = chain(error);
    if error.is_connect() {
        Trouble::environment(format!("no connection: {cause}"))
    } else if error.is_timeout() {
        Trouble::timeout(cause)
    } else if error.is_builder() {
        Trouble::environment(format!("put the question: {cause}"))
    } else {
        Trouble::other(format!("the connection broke off before the answer was whole: {cause}"))
    }
}

/// An answer that is no success.
struct Answer<'a> {
    status: StatusCode,
    body: &'a str,
    headers: &'a HeaderMap,
}

impl Answer<'_> {
    fn trouble(&self, has_key: bool) -> Trouble {
        let status = self.status;
        let code = status.as_u16();
        let with = |words: &str| format!("{words} ({code}{}){}", self.wait(), self.said());
        match status {
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN if has_key => {
                Trouble::auth(with("the server refuses the key"))
            }
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                Trouble::auth(with("the server asks for a key and none is configured for it"))
            }
            StatusCode::TOO_MANY_REQUESTS => {
                Trouble::other(with("the server takes no more questions for now"))
            }
            _ if status.is_redirection() => {
                Trouble::other(with("the server points elsewhere, and nothing is sent there"))
            }
            _ if status.is_client_error() => Trouble::other(with(
                "the server refuses the question, which asks for an answer in the verdict's schema",
            )),
            _ => Trouble::other(with("the server failed")),
        }
    }

    fn wait(&self) -> String {
        let wait = self.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        let wait = wait.map(|wait| clip::head(wait, HEADER_CHARS_MAX));
        wait.map(|wait| format!(", retry-after `{wait}`")).unwrap_or_default()
    }

    /// What the server says of it, where the usual forms put it, or else at all.
    fn said(&self) -> String {
        let body: Option<Value> = serde_json::from_str(self.body).ok();
        let places = ["/error/message", "/0/error/message", "/error", "/message", "/detail"];
        let found = places.into_iter().find_map(|at| body.as_ref()?.pointer(at)?.as_str());
        let said = one_line(found.unwrap_or(self.body));
        if said.is_empty() { said } else { format!(": {}", clip::head(&said, SAID_CHARS_MAX)) }
    }
}

/// An error with its causes, which its own words leave out.
pub(super) fn chain(error: &reqwest::Error) -> String {
    let mut causes = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        causes.push(cause.to_string());
        next = cause.source();
    }
    if causes.is_empty() { error.to_string() } else { causes.join(": ") }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
