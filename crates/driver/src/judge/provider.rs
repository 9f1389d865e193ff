//! A judge behind a provider's API, or behind a server that speaks one of their forms.
//!
//! One question is one HTTP request on one connection that is opened for it and closed with it:
//! nothing here asks twice, follows a redirect or uses a proxy (not even one that the environment
//! names, which would be shown the question). The client library puts the question in the
//! provider's own form; the connection itself is held here (`line`), so that a server can neither
//! answer without end nor outlive the question.
//!
//! The verdict schema goes along in the form the provider takes (`schema`), the stable prefix is
//! marked for the provider's cache, and what was read from it and written to it is counted. Where
//! the library has no structured output for a provider (`cohere`, `ollama`, `bedrock_api`, the
//! Claude models of `vertex`, some of `opencode_go`) the schema stands in the prompt only, as it
//! does for all of them; the reader of replies is as strict either way.
//!
//! The key goes into the one header that asks for it. It is taken out of the reply and of every
//! message, since a server may repeat what it was sent.
//!
//! The caller's runtime must have its I/O and its clock enabled.

mod failure;
mod line;
mod options;
mod schema;
mod tls;

use std::time::Duration;

use async_trait::async_trait;
use genai::adapter::AdapterKind;
use genai::chat::ChatResponse;
use genai::resolver::{AuthData, Endpoint};
use genai::{Client, ModelIden, ServiceTarget};
use quittance_judge::machine::{JudgeQuestion, Reply, Usage};
use quittance_judge::policy::Tuning;
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tracing::instrument::WithSubscriber;
use tracing::subscriber::NoSubscriber;

use super::route::Route;
use super::{Judge, JudgeKind};
use crate::user::{KeyError, Secret};
use failure::Trouble;
use line::{Address, Line};
use options::Knobs;
pub use options::TuningError;

/// How the program names itself to a server.
const USER_AGENT: &str = concat!("quittance/", env!("CARGO_PKG_VERSION"));

/// A judge behind an API.
#[derive(Debug)]
pub struct ProviderJudge {
    route: Route,
    form: AdapterKind,
    key: Result<Option<Secret>, KeyError>,
    knobs: Knobs,
    /// Held while a question is out: there is one at a time.
    turn: Mutex<()>,
}

impl ProviderJudge {
    /// A judge at the end of a route, with what the user's own configuration says of its key
    /// ([`UserConfig::key_for`](crate::UserConfig::key_for)) and what is passed on to the model.
    /// Where the key cannot be had, every question is answered with that.
    ///
    /// # Errors
    /// When a setting of the model is of no use.
    pub fn new(
        route: Route,
        key: Result<Option<Secret>, KeyError>,
        tuning: &Tuning,
    ) -> Result<Self, TuningError> {
        let form = form(&route, matches!(key, Ok(None)));
        Ok(Self { route, form, key, knobs: Knobs::read(tuning)?, turn: Mutex::new(()) })
    }

    /// Why no question could be put for want of a key; none where one is there, or none is needed.
    #[must_use]
    pub fn lacks_key(&self) -> Option<String> {
        let trouble = self.auth().err()?;
        Some(trouble.told(|text| self.scrubbed(text)).1)
    }

    /// Opens a connection to the server a model is asked at, TLS included, and closes it again. It
    /// is shown no key and asked nothing: whatever it answers, it is there.
    ///
    /// # Errors
    /// Why there is no connection, on one line.
    pub async fn reach(&self, model: &str, within: Duration) -> Result<(), String> {
        let reached = tokio::time::timeout(within, self.knock(model)).await;
        let reached = reached.unwrap_or_else(|_| {
            Err(Trouble::timeout(format!("no connection within {} s", within.as_secs())))
        });
        reached.map_err(|trouble| trouble.told(|text| self.scrubbed(text)).1)
    }

    async fn knock(&self, model: &str) -> Result<(), Trouble> {
        let line = Line::open()?;
        let http = http(&line)?;
        let target = self.target(&client(http.clone())?, model, AuthData::None).await?;
        let endpoint = target.endpoint.base_url();
        let address = Address::of(endpoint)?;
        let mut call = JoinSet::new();
        call.spawn(http.head(endpoint).send().with_subscriber(NoSubscriber::new()));
        let answered = tokio::select! {
            biased;
            Some(ended) = call.join_next() => Some(ended),
            carried = line.carry(&address) => {
                carried?;
                // The server hung up. Whether it had answered, the client knows.
                call.join_next().await
            }
        };
        match answered {
            Some(Ok(Ok(_))) => Ok(()),
            Some(Ok(Err(error))) => Err(failure::connection(&error)),
            Some(Err(_)) | None => Err(Trouble::other("the attempt was lost")),
        }
    }

    async fn exchange(&self, question: &JudgeQuestion) -> Result<ChatResponse, Trouble> {
        let _turn = self.turn.lock().await;
        let auth = self.auth()?;
        let line = Line::open()?;
        let client = client(http(&line)?)?;
        let target = self.target(&client, &question.model, auth).await?;
        let address = Address::of(target.endpoint.base_url())?;
        let options = self.knobs.options(self.form, &question.model, &question.prompt.schema);
        let request = options::request(&question.prompt);
        // In a task of its own: an answer that upsets the client library ends that task alone. And
        // with nobody to listen: the library logs answers whole, with a key that one repeats.
        let mut call = JoinSet::new();
        let asked = async move { client.exec_chat(target, request, Some(&options)).await };
        call.spawn(asked.with_subscriber(NoSubscriber::new()));
        tokio::select! {
            biased;
            Some(ended) = call.join_next() => return self.ended(ended),
            carried = line.carry(&address) => carried?,
        }
        // The server hung up. Whether it had said everything, the client library knows.
        match call.join_next().await {
            Some(ended) => self.ended(ended),
            None => Err(Trouble::other("the question was lost")),
        }
    }

    fn ended(
        &self,
        ended: Result<genai::Result<ChatResponse>, tokio::task::JoinError>,
    ) -> Result<ChatResponse, Trouble> {
        let ended = ended.map_err(|_| Trouble::other("the answer cannot be read"))?;
        ended.map_err(|error| failure::of(&error, matches!(self.key, Ok(Some(_)))))
    }

    fn auth(&self) -> Result<AuthData, Trouble> {
        match (&self.key, &self.route) {
            (Err(error), route) => Err(Trouble::auth(format!("the key for the {route}: {error}"))),
            (Ok(Some(key)), _) => Ok(AuthData::Key(key.expose().to_owned())),
            (Ok(None), Route::Provider(_)) if self.form.default_key_env_name().is_some() => {
                let route = &self.route;
                Err(Trouble::auth(format!("your own configuration names no key for the {route}")))
            }
            // An empty header, where the library insists on one.
            (Ok(None), _) if needs_header(self.form) => Ok(AuthData::Key(String::new())),
            (Ok(None), _) => Ok(AuthData::None),
        }
    }

    async fn target(
        &self,
        client: &Client,
        model: &str,
        auth: AuthData,
    ) -> Result<ServiceTarget, Trouble> {
        self.knobs.check_name(self.form, model)?;
        let named = ModelIden::new(self.form, model);
        let mut target = client
            .resolve_service_target(named)
            .await
            .map_err(|error| Trouble::environment(format!("the {}: {error}", self.route)))?;
        if let Route::Server { url, .. } = &self.route {
            target.endpoint = Endpoint::from_owned(url.base());
        }
        target.auth = auth;
        Ok(target)
    }

    /// What a key must not be found in.
    fn scrubbed(&self, text: &str) -> String {
        match &self.key {
            Ok(Some(key)) => key.scrub(text),
            Ok(None) | Err(_) => text.to_owned(),
        }
    }

    fn reply(&self, response: &ChatResponse) -> Result<Reply, Trouble> {
        let text = response.content.joined_texts();
        let usage = &response.usage;
        let says_nothing = text.is_none() && response.stop_reason.is_none();
        if says_nothing && usage.prompt_tokens.is_none() && usage.completion_tokens.is_none() {
            return Err(Trouble::other("the answer is JSON, but not in the provider's form"));
        }
        let text = self.scrubbed(&text.unwrap_or_default());
        Ok(Reply::Text { text, usage: counted(usage) })
    }
}

#[async_trait]
impl Judge for ProviderJudge {
    fn kind(&self) -> JudgeKind {
        JudgeKind::Provider
    }

    async fn ask(&self, question: &JudgeQuestion) -> Reply {
        let allowed = u64::try_from(question.provider_timeout_ms).unwrap_or(0);
        let exchange =
            tokio::time::timeout(Duration::from_millis(allowed), self.exchange(question));
        let answered = match exchange.await {
            Ok(answered) => answered.and_then(|response| self.reply(&response)),
            Err(_) => Err(Trouble::timeout(format!("it did not answer within {allowed} ms"))),
        };
        answered.unwrap_or_else(|trouble| {
            let (failure, message) = trouble.told(|text| self.scrubbed(text));
            Reply::Failed { failure, message }
        })
    }
}

/// Whose form it is, for the client library. `omlx` is its word for `openai`'s form without a key.
fn form(route: &Route, is_keyless: bool) -> AdapterKind {
    let name = route.form().as_str();
    let form = AdapterKind::from_lower_str(name).unwrap_or(AdapterKind::OpenAI);
    let is_server = matches!(route, Route::Server { .. });
    if is_server && is_keyless && form == AdapterKind::OpenAI { AdapterKind::Omlx } else { form }
}

fn needs_header(form: AdapterKind) -> bool {
    !matches!(form, AdapterKind::Omlx | AdapterKind::Ollama)
}

fn http(line: &Line) -> Result<reqwest::Client, Trouble> {
    let tls = tls::config().map_err(|error| Trouble::environment(format!("speak TLS: {error}")))?;
    let builder = reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .user_agent(USER_AGENT)
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .no_proxy()
        .no_gzip()
        .http1_only()
        .pool_max_idle_per_host(0);
    let client = line.lay(builder).build();
    client.map_err(|error| Trouble::environment(failure::chain(&error)))
}

fn client(http: reqwest::Client) -> Result<Client, Trouble> {
    let built = Client::builder().with_reqwest(http).build();
    built.map_err(|error| Trouble::environment(error.to_string()))
}

/// Cached tokens count as input too, as the client library gives them for every provider.
fn counted(usage: &genai::chat::Usage) -> Usage {
    let count = |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok());
    let details = usage.prompt_tokens_details.as_ref();
    Usage {
        input_tokens: count(usage.prompt_tokens).unwrap_or(0),
        output_tokens: count(usage.completion_tokens).unwrap_or(0),
        cache_read_tokens: count(details.and_then(|known| known.cached_tokens)).unwrap_or(0),
        cache_write_tokens: count(details.and_then(|known| known.cache_creation_tokens))
            .unwrap_or(0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::route::ProviderName;
    use super::*;

    #[test]
    fn the_names_are_the_client_librarys() {
        let known: Vec<&str> = AdapterKind::all().iter().map(AdapterKind::as_lower_str).collect();
        let ours: Vec<&str> = ProviderName::all().map(ProviderName::as_str).collect();
        assert_eq!(ours, known);
    }
}
