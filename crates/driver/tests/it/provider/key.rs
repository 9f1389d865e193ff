//! A key is planted, and everything that can be seen is searched for it.

use std::fmt::{Debug, Write};
use std::sync::{Mutex, OnceLock, PoisonError};

use quittance_driver::UserConfig;
use quittance_driver::judge::Judge;
use quittance_driver::judge::provider::ProviderJudge;
use quittance_driver::judge::route::Route;
use quittance_judge::machine::{Failure, Reply};
use quittance_judge::policy::Tuning;
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::server::{Play, Server};
use super::{answer, patient};

const KEY: &str = "sk-planted-0123456789abcdef";
/// So much of it that the rest could be guessed.
const MOST: &str = "sk-planted-01234567";

/// Everything anything says to a log.
static LOGGED: Mutex<String> = Mutex::new(String::new());

fn note(text: &dyn Debug) {
    let mut logged = LOGGED.lock().unwrap_or_else(PoisonError::into_inner);
    let _infallible = writeln!(logged, "{text:?}");
}

struct Listener;

impl Visit for Listener {
    fn record_debug(&mut self, _: &Field, value: &dyn Debug) {
        note(value);
    }
}

impl Subscriber for Listener {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut Self);
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut Self);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Self);
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

impl log::Log for Listener {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        note(record.args());
    }

    fn flush(&self) {}
}

fn listen() {
    static LISTENING: OnceLock<()> = OnceLock::new();
    LISTENING.get_or_init(|| {
        tracing::subscriber::set_global_default(Listener).unwrap();
        log::set_logger(&Listener).unwrap();
        log::set_max_level(log::LevelFilter::Trace);
    });
}

/// Asks a server with the planted key; gives everything that can be seen of it.
async fn seen(form: &str, header: &str, play: Play) -> String {
    let server = Server::play(play);
    let url = server.url();
    let file = format!("version = 1\n[keys]\n\"{url}\" = \"PLANTED\"");
    let config = UserConfig::parse(&file).unwrap();
    let route = Route::new(Some(form), Some(&url)).unwrap();
    let key = config.key_for(&route, |name| (name == "PLANTED").then(|| KEY.into()));
    let judge = ProviderJudge::new(route, key, &Tuning::default()).unwrap();
    let mut seen = format!("{judge:?} {config:?}");
    let reply = judge.ask(&patient()).await;
    let _infallible = write!(seen, "{reply:?}");
    for request in server.requests() {
        let value = request.header(header).unwrap();
        assert!(value.ends_with(KEY), "{value}");
        assert_eq!(request.head.matches(KEY).count(), 1, "in one header only");
        seen.push_str(&request.body);
    }
    seen
}

#[tokio::test]
async fn a_planted_key_is_seen_in_one_header_and_nowhere_else() {
    listen();
    for (form, header) in [("openai", "authorization"), ("anthropic", "x-api-key")] {
        let repeated = json!({"error": {"message": format!("bad key {KEY}")}});
        let told = format!("{{\"verdict\": \"done\", \"detail\": \"{KEY}\"}}");
        let plays = [
            Play::json("200 OK", &answer(form, &told)),
            Play::json("401 Unauthorized", &repeated),
            Play::json("500 Internal Server Error", &repeated),
            // The key stands where the message is clipped.
            Play::json("400 Bad Request", &json!({"error": format!("{}{KEY}", "x".repeat(290))})),
            Play::answer("429 Too Many Requests", "retry-after: sk-planted-0123456789abcdef", KEY),
            Play::answer("200 OK", "content-type: sk-planted-0123456789abcdef", KEY),
            Play::json("200 OK", &json!({"choices": KEY, "content": KEY})),
            Play::Cut(format!("{KEY}\r\n\r\n")),
        ];
        for play in plays {
            let seen = seen(form, header, play).await;
            assert!(!seen.contains(MOST), "{seen}");
        }
    }
    let logged = LOGGED.lock().unwrap().clone();
    assert!(!logged.is_empty(), "the loggers are heard");
    assert!(!logged.contains(MOST), "{logged}");
}

#[tokio::test]
async fn without_its_key_nothing_is_asked_of_a_provider() {
    let config = UserConfig::parse("version = 1\n[keys]\ngroq = \"UNSET\"").unwrap();
    for provider in ["anthropic", "groq"] {
        let route = Route::new(Some(provider), None).unwrap();
        let key = config.key_for(&route, |_| None);
        let judge = ProviderJudge::new(route, key, &Tuning::default()).unwrap();
        let reply = judge.ask(&patient()).await;
        let Reply::Failed { failure, message } = reply else { panic!("{reply:?}") };
        assert_eq!(failure, Failure::Auth);
        assert!(message.contains(provider), "{message}");
    }
}
