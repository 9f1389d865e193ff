//! Judges behind an API: real HTTP exchanges with a server on loopback.

mod key;
mod server;

use std::time::{Duration, Instant};

use quittance_driver::judge::provider::ProviderJudge;
use quittance_driver::judge::route::Route;
use quittance_driver::judge::{Judge, JudgeKind};
use quittance_driver::user::Secret;
use quittance_judge::ledger::PacketIndex;
use quittance_judge::machine::{Failure, JudgeQuestion, Reply, Usage};
use quittance_judge::policy::{Slot, Tuning};
use quittance_judge::reply::Decoded;
use serde_json::{Value, json};

use crate::{golden, question};
use server::{Play, Server};

/// Long enough that no test ends by it, short enough that a broken one does.
const PATIENCE_MS: i64 = 30_000;
const FORMS: [&str; 2] = ["openai", "anthropic"];

fn verdict() -> String {
    json!({"detail": "It parses.", "verdict": "done"}).to_string()
}

/// A good answer in a form.
fn answer(form: &str, text: &str) -> Value {
    let answer = golden::input(&format!("judges/{form}_asked_answered"), "answer.json");
    let mut answer: Value = serde_json::from_str(&answer).unwrap();
    let place = if form == "anthropic" { "/content/0/text" } else { "/choices/0/message/content" };
    *answer.pointer_mut(place).unwrap() = text.into();
    answer
}

fn judge(form: &str, url: &str, key: Option<&str>) -> ProviderJudge {
    let route = Route::new(Some(form), Some(url)).unwrap();
    let key = key.map(|key| Secret::new(key.to_owned()).unwrap());
    ProviderJudge::new(route, Ok(key), &Tuning::default()).unwrap()
}

fn patient() -> JudgeQuestion {
    let mut question = question::of(Slot::Completion);
    question.provider_timeout_ms = PATIENCE_MS;
    question
}

/// Asks a server once and counts what it was asked.
async fn ask(form: &str, play: Play) -> Reply {
    let server = Server::play(play);
    let reply = judge(form, &server.url(), Some("a-key-of-the-test")).ask(&patient()).await;
    assert_eq!(server.requests().len(), 1, "one question, one call");
    reply
}

#[tokio::test]
async fn a_question_is_put_and_answered_in_either_form() {
    let input = [("openai", 120, 0), ("anthropic", 127, 7)];
    for (form, input_tokens, cache_write_tokens) in input {
        let server = Server::play(Play::json("200 OK", &answer(form, &verdict())));
        let judge = judge(form, &server.url(), Some("a-key-of-the-test"));
        assert_eq!(judge.kind(), JudgeKind::Provider);
        let question = patient();
        let usage =
            Usage { input_tokens, output_tokens: 30, cache_read_tokens: 100, cache_write_tokens };
        assert_eq!(judge.ask(&question).await, Reply::Text { text: verdict(), usage });
        let requests = server.requests();
        assert_eq!(requests.len(), 1);
        let mut body = requests[0].json();
        let prompt = &question.prompt;
        if form == "openai" {
            assert_eq!(requests[0].line(), "POST /v1/chat/completions HTTP/1.1");
            assert_eq!(requests[0].header("authorization"), Some("Bearer a-key-of-the-test"));
            assert_eq!(body["messages"][0]["content"], *prompt.system);
            assert_eq!(body["messages"][1]["content"], prompt.user);
            body["messages"][0]["content"] = "SYSTEM".into();
            body["messages"][1]["content"] = "USER".into();
        } else {
            assert_eq!(requests[0].line(), "POST /v1/messages HTTP/1.1");
            assert_eq!(requests[0].header("x-api-key"), Some("a-key-of-the-test"));
            assert_eq!(body["system"][0]["text"], *prompt.system);
            assert_eq!(body["messages"][0]["content"], prompt.user);
            body["system"][0]["text"] = "SYSTEM".into();
            body["messages"][0]["content"] = "USER".into();
        }
        let case = format!("judges/{form}_asked_answered");
        golden::pin(&case, "request", &golden::pretty(&body));
    }
}

#[tokio::test]
async fn settings_of_the_model_go_along() {
    let overrides = json!({"temperature": 0.25, "max_tokens": 700, "top_p": 0.5, "effort": "low",
                           "tool_format": "json"});
    let tuning = Tuning { overrides: overrides.as_object().unwrap().clone() };
    let server = Server::play(Play::json("200 OK", &answer("openai", &verdict())));
    let route = Route::new(None, Some(&server.url())).unwrap();
    let judge = ProviderJudge::new(route, Ok(None), &tuning).unwrap();
    assert!(matches!(judge.ask(&patient()).await, Reply::Text { .. }));
    let request = &server.requests()[0];
    assert_eq!(request.header("authorization"), None, "no key, no header");
    let body = request.json();
    assert_eq!(body["temperature"], 0.25);
    assert_eq!(body["max_tokens"], 700);
    assert_eq!(body["top_p"], 0.5);
    assert_eq!(body["reasoning_effort"], "low");
    for (key, value) in [
        ("temperature", json!("hot")),
        ("max_tokens", json!(-1)),
        ("max_tokens", json!(5_000_000_000_u64)),
        ("top_p", json!([])),
        ("effort", json!("heroic")),
    ] {
        let tuning = Tuning { overrides: [(key.to_owned(), value)].into_iter().collect() };
        let route = Route::new(Some("openai"), None).unwrap();
        let error = ProviderJudge::new(route, Ok(None), &tuning).unwrap_err();
        assert_eq!(error.key, key);
    }
}

#[tokio::test]
async fn the_model_that_is_asked_is_the_one_that_is_named() {
    let server = Server::play(Play::json("200 OK", &answer("openai", &verdict())));
    for (key, model) in [(None, "qwen-max"), (Some("a-key-of-the-test"), "mistral-medium")] {
        let mut question = patient();
        question.model = model.to_owned();
        let reply = judge("openai", &server.url(), key).ask(&question).await;
        assert!(matches!(reply, Reply::Text { .. }), "{reply:?}");
        let body = server.requests().pop().unwrap().json();
        assert_eq!(body["model"], model);
        assert_eq!(body.get("reasoning_effort"), None);
        assert_eq!(body.get("chat_template_kwargs"), None);
    }
    let asked = server.requests().len();
    for (form, model) in [("openai", "other::name"), ("anthropic", "claude-sonnet-4-6-high")] {
        let mut question = patient();
        question.model = model.to_owned();
        let reply = judge(form, &server.url(), None).ask(&question).await;
        let Reply::Failed { failure, message } = reply else { panic!("{reply:?}") };
        assert_eq!(failure, Failure::Environment);
        assert!(message.contains(model), "{message}");
    }
    assert_eq!(server.requests().len(), asked, "nothing is sent under another name");
}

#[tokio::test]
async fn a_property_to_be_left_out_is_null_where_all_are_required() {
    let reply = json!({
        "verdict": "continue",
        "detail": "One test fails.",
        "gap_class": null,
        "gaps": [{
            "criterion": "It builds.",
            "gap_class": "failed_verification",
            "detail": "Mend it.",
            "evidence_quote": null,
            "requirement_id": null,
        }],
        "requirement_report": null,
    });
    let server = Server::play(Play::json("200 OK", &answer("openai", &reply.to_string())));
    let question = {
        let mut question = question::under_contract();
        question.provider_timeout_ms = PATIENCE_MS;
        question
    };
    assert!(matches!(
        judge("openai", &server.url(), None).ask(&question).await,
        Reply::Text { .. }
    ));
    let body = server.requests()[0].json();
    let schema = &body["response_format"]["json_schema"]["schema"];
    golden::pin("judges/openai_contract_nullable", "schema", &golden::pretty(schema));
    // What null says is what leaving out says.
    let mut without = reply.clone();
    without.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    without["gaps"][0].as_object_mut().unwrap().retain(|_, value| !value.is_null());
    let contract = question::contract();
    let read = |reply| Decoded::read(reply, contract.as_ref(), &PacketIndex::default());
    assert_eq!(read(&reply), read(&without));
}

#[tokio::test]
async fn every_failure_is_one_call_and_says_why() {
    let answers = golden::input("judges/provider_failing_told", "answers.json");
    let answers: Vec<Value> = serde_json::from_str(&answers).unwrap();
    let plays: Vec<(String, Play)> = answers.iter().map(Play::told).collect();
    for form in FORMS {
        let mut told = Vec::new();
        for (name, play) in &plays {
            let reply = ask(form, play.clone()).await;
            let Reply::Failed { failure, message } = reply else { panic!("{name}: {reply:?}") };
            assert!(message.chars().count() <= 600, "{message}");
            told.push(format!("{name}\n  {}: {message}", failure.as_str()));
        }
        golden::pin("judges/provider_failing_told", form, &told.join("\n"));
    }
}

#[tokio::test]
async fn an_answer_without_end_is_ended() {
    let server = Server::play(Play::Flood);
    let reply = judge("openai", &server.url(), None).ask(&patient()).await;
    assert!(matches!(reply, Reply::Failed { failure: Failure::Other, .. }), "{reply:?}");
    // What went out is the bound, and what the two sockets held when it was reached.
    let sent = server.ended();
    assert!(sent < 64 * 1024 * 1024, "{sent}");
}

#[tokio::test]
async fn an_empty_answer_is_a_reply_that_says_nothing() {
    for form in FORMS {
        let reply = ask(form, Play::json("200 OK", &answer(form, ""))).await;
        let Reply::Text { text, usage } = reply else { panic!("{reply:?}") };
        assert_eq!(text, "");
        assert_eq!(usage.output_tokens, 30);
    }
}

#[tokio::test]
async fn tokens_that_cannot_be_are_not_counted() {
    let mut openai = answer("openai", &verdict());
    openai["usage"]["prompt_tokens"] = json!(-5);
    let mut anthropic = answer("anthropic", &verdict());
    anthropic["usage"]["input_tokens"] = json!(1_u64 << 40);
    for (form, body) in [("openai", openai), ("anthropic", anthropic)] {
        let reply = ask(form, Play::json("200 OK", &body)).await;
        assert!(matches!(reply, Reply::Text { .. }), "{reply:?}");
    }
    // Two counts whose sum is none upset the client library; it must not upset us.
    let mut sum = answer("anthropic", &verdict());
    sum["usage"]["input_tokens"] = json!(i32::MAX);
    sum["usage"]["cache_read_input_tokens"] = json!(i32::MAX);
    let reply = ask("anthropic", Play::json("200 OK", &sum)).await;
    match reply {
        Reply::Text { usage, .. } => assert_eq!(usage.input_tokens, 0),
        Reply::Failed { failure, .. } => assert_eq!(failure, Failure::Other),
    }
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_left_on_time() {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"choices\": [";
    let slow = [Play::Silence, Play::Stall("HTTP/1.1 2".to_owned()), Play::Stall(head.to_owned())];
    for (form, play) in FORMS.iter().flat_map(|form| slow.iter().map(move |play| (form, play))) {
        let server = Server::play(play.clone());
        let mut question = patient();
        // Ample for the question to have gone out before.
        question.provider_timeout_ms = 3000;
        let start = Instant::now();
        let reply = judge(form, &server.url(), None).ask(&question).await;
        let message = "it did not answer within 3000 ms".to_owned();
        assert_eq!(reply, Reply::Failed { failure: Failure::Timeout, message });
        assert!(start.elapsed().as_millis() >= 3000);
        // It returns once the server sees the connection gone.
        let _sent = server.ended();
        assert!(server.requests().len() <= 1);
    }
    let server = Server::play(Play::Silence);
    for hopeless in [0, -5] {
        let mut question = patient();
        question.provider_timeout_ms = hopeless;
        let reply = judge("openai", &server.url(), None).ask(&question).await;
        assert!(matches!(reply, Reply::Failed { failure: Failure::Timeout, .. }), "{reply:?}");
    }
}

#[tokio::test]
async fn a_dropped_question_ends_its_exchange() {
    let server = Server::play(Play::Silence);
    let judge = judge("openai", &server.url(), None);
    let question = patient();
    {
        let asked = judge.ask(&question);
        tokio::pin!(asked);
        while server.requests().is_empty() {
            let tick = tokio::time::sleep(Duration::from_millis(5));
            tokio::select! {
                reply = &mut asked => panic!("{reply:?}"),
                () = tick => {}
            }
        }
    }
    assert_eq!(server.ended(), 0, "the connection is gone");
}

#[tokio::test]
async fn one_question_is_out_at_a_time() {
    let server = Server::play(Play::Silence);
    let judge = judge("openai", &server.url(), None);
    let (mut first, mut second) = (patient(), patient());
    first.provider_timeout_ms = 800;
    second.provider_timeout_ms = 400;
    let replies = tokio::join!(judge.ask(&first), judge.ask(&second));
    for reply in [replies.0, replies.1] {
        assert!(matches!(reply, Reply::Failed { failure: Failure::Timeout, .. }), "{reply:?}");
    }
    assert_eq!(server.requests().len(), 1, "the second waited for the first");
}

#[tokio::test]
async fn a_server_that_is_not_there_is_this_machines_trouble() {
    let gone = Server::play(Play::Silence).url();
    let nowhere = ["http://name.invalid/v1", "https://127.0.0.1:1/v1", &gone];
    for url in nowhere {
        let reply = judge("openai", url, None).ask(&patient()).await;
        assert!(matches!(reply, Reply::Failed { failure: Failure::Environment, .. }), "{reply:?}");
    }
}

#[tokio::test]
async fn a_server_without_tls_is_told_nothing() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("https://{}/v1", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut heard = [0; 4096];
        let count = std::io::Read::read(&mut stream, &mut heard).unwrap();
        std::io::Write::write_all(&mut stream, b"HTTP/1.1 200 OK\r\n\r\n").unwrap();
        String::from_utf8_lossy(&heard[..count]).into_owned()
    });
    let reply = judge("openai", &url, Some("a-key-of-the-test")).ask(&patient()).await;
    assert!(matches!(reply, Reply::Failed { failure: Failure::Environment, .. }), "{reply:?}");
    assert!(!server.join().unwrap().contains("a-key-of-the-test"));
}

#[tokio::test]
async fn a_server_that_answers_anything_is_there_and_is_shown_nothing() {
    let within = Duration::from_secs(30);
    for form in FORMS {
        for status in ["200 OK", "404 Not Found", "401 Unauthorized", "503 Busy"] {
            let server = Server::play(Play::answer(status, "x: y", ""));
            let judge = judge(form, &server.url(), Some("a-key-of-the-test"));
            assert_eq!(judge.reach("m", within).await, Ok(()), "{status}");
            let [request] = server.requests().try_into().unwrap();
            assert_eq!((request.line(), request.body.as_str()), ("HEAD /v1/ HTTP/1.1", ""));
            assert!(!request.head.contains("a-key-of-the-test"), "{}", request.head);
        }
    }
    // A body without end is nobody's to read.
    let server = Server::play(Play::Flood);
    assert_eq!(judge("openai", &server.url(), None).reach("m", within).await, Ok(()));
}

#[tokio::test]
async fn a_server_that_is_not_there_is_told_in_time() {
    let within = Duration::from_secs(1);
    let reach = async |url: &str| judge("openai", url, None).reach("m", within).await.unwrap_err();
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert!(reach(&format!("http://{free}/v1")).await.contains("refused"));
    let silent = Server::play(Play::Silence);
    assert_eq!(reach(&silent.url()).await, "no connection within 1 s");
    let plain = Server::play(Play::Cut("no TLS".to_owned()));
    let told = reach(&plain.url().replace("http:", "https:")).await;
    assert!(told.contains("no connection"), "{told}");
}

#[tokio::test]
async fn whether_a_key_is_there_is_told_without_it() {
    let bare = ProviderJudge::new(
        Route::new(Some("anthropic"), None).unwrap(),
        Ok(None),
        &Tuning::default(),
    );
    let told = bare.unwrap().lacks_key().unwrap();
    assert_eq!(told, "your own configuration names no key for the provider `anthropic`");
    // A server of one's own may need none.
    assert_eq!(judge("openai", "http://127.0.0.1:9/v1", None).lacks_key(), None);
    assert_eq!(
        judge("openai", "http://127.0.0.1:9/v1", Some("a-key-of-the-test")).lacks_key(),
        None
    );
}
