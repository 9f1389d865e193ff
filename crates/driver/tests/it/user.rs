//! The user's own configuration: which key goes to which server, and what it may not say.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use quittance_driver::UserConfig;
use quittance_driver::judge::route::{Route, ServerUrl};
use quittance_driver::user::{FILE_NAME, folder};

use crate::golden;

const CONFIG: &str = r#"
version = 1
[keys]
anthropic = "ANTHROPIC_API_KEY"
"https://llm.example.com/v1" = "EXAMPLE_KEY"
"https://llm.example.com/v1/inner/" = "INNER_KEY"
"http://[::1]:8080" = "LOCAL_KEY"
[redact]
key_env = "REDACT_KEY"
"#;

/// Every variable holds its own name, repeated.
fn environment(variable: &str) -> Option<OsString> {
    (variable != "UNSET").then(|| format!("{variable}-{variable}").into())
}

fn route(provider: Option<&str>, base_url: Option<&str>) -> Route {
    Route::new(provider, base_url).unwrap()
}

#[track_caller]
fn check(route: &Route, variable: Option<&str>) {
    let config = UserConfig::parse(CONFIG).unwrap();
    let key = config.key_for(route, environment).unwrap();
    let expected = variable.map(|variable| format!("{variable}-{variable}"));
    assert_eq!(key.as_ref().map(|key| key.expose().to_owned()), expected, "{route}");
}

#[test]
fn a_key_goes_to_the_server_it_is_named_for() {
    check(&route(Some("anthropic"), None), Some("ANTHROPIC_API_KEY"));
    check(&route(Some("openai"), None), None);
    for (url, variable) in [
        ("https://llm.example.com/v1", Some("EXAMPLE_KEY")),
        ("https://LLM.example.com:443/v1/", Some("EXAMPLE_KEY")),
        ("https://llm.example.com/v1/team", Some("EXAMPLE_KEY")),
        ("https://llm.example.com/v1/inner", Some("INNER_KEY")),
        ("https://llm.example.com/v1/inner/more", Some("INNER_KEY")),
        ("https://llm.example.com/v1/innermost", Some("EXAMPLE_KEY")),
        ("https://llm.example.com", None),
        ("https://llm.example.com/v10", None),
        ("https://llm.example.com/v2", None),
        ("https://llm.example.com:8443/v1", None),
        ("http://llm.example.com/v1", None),
        ("https://llm.example.com.evil.example/v1", None),
        ("https://evil.example/llm.example.com/v1", None),
        ("http://[0:0:0:0:0:0:0:1]:8080/x", Some("LOCAL_KEY")),
        ("https://api.anthropic.com/v1", None),
    ] {
        check(&route(None, Some(url)), variable);
        // Whose form a server speaks says nothing of whose key it gets.
        check(&route(Some("anthropic"), Some(url)), variable);
    }
}

#[test]
fn an_address_that_can_be_read_two_ways_is_none() {
    let addresses = golden::texts("judges/address_unclear_refused", "addresses.json");
    let problems = addresses.iter().map(|address| {
        let problem = address.parse::<ServerUrl>().unwrap_err();
        format!("{}\n  {problem}", address.escape_default())
    });
    let told: Vec<String> = problems.collect();
    golden::pin("judges/address_unclear_refused", "problems", &told.join("\n"));
    let long = format!("https://a.example/{}", "a".repeat(2100));
    assert!(long.parse::<ServerUrl>().unwrap_err().to_string().contains("longer"));
}

#[test]
fn an_address_has_one_spelling() {
    for (given, spelled) in [
        ("https://A.Example", "https://a.example"),
        ("https://a.example:443/", "https://a.example"),
        ("http://a.example:443/v1/", "http://a.example:443/v1"),
        ("http://127.0.0.1:9/", "http://127.0.0.1:9"),
        ("http://[0:0::1]:80/a/b", "http://[::1]/a/b"),
        ("http://a_b-c", "http://a_b-c"),
    ] {
        let url: ServerUrl = given.parse().unwrap();
        assert_eq!(url.to_string(), spelled);
        assert_eq!(url.to_string().parse(), Ok(url));
    }
}

#[test]
fn an_unknown_provider_is_answered_with_the_known_ones() {
    let error = Route::new(Some("antropic"), None).unwrap_err().to_string();
    assert!(error.contains("did you mean `anthropic`?"), "{error}");
    assert!(error.contains("openai, openai_resp, gemini"), "{error}");
    assert!(Route::new(Some("genai_1"), None).is_err());
    assert!(Route::new(Some("OpenAI"), Some("http://localhost:1")).is_err());
    assert!(Route::new(None, None).is_err());
    assert_eq!(route(None, Some("http://localhost:1")).form().as_str(), "openai");
}

#[test]
fn every_problem_names_line_key_and_cause() {
    let configs = golden::texts("judges/user_config_broken_refused", "configs.json");
    let told = configs.iter().map(|text| {
        let problem = UserConfig::parse(text).unwrap_err().to_string();
        assert!(!problem.contains("sk-ant"), "{problem}");
        let shown = text.replace("sk-ant-0123456789", "a key in place of a name");
        format!("{}\n  {problem}", shown.replace('\n', "\n| "))
    });
    let told: Vec<String> = told.collect();
    golden::pin("judges/user_config_broken_refused", "problems", &told.join("\n\n"));
}

#[test]
fn a_variable_that_holds_no_key_is_an_error_that_does_not_show_it() {
    let config = UserConfig::parse("version = 1\n[keys]\nopenai = \"UNSET\"").unwrap();
    let openai = route(Some("openai"), None);
    let error = config.key_for(&openai, environment).unwrap_err().to_string();
    assert!(error.contains("`UNSET`") && error.contains("not set"), "{error}");
    for held in ["", "short", "with space inside", "line\nbreak-in-it", "schlüssel-lang"] {
        let error = config.key_for(&openai, |_| Some(held.into())).unwrap_err().to_string();
        assert!(error.contains("holds no key"), "{error}");
        assert!(held.is_empty() || !error.contains(held), "{error}");
    }
}

#[test]
fn a_key_is_shown_to_nobody() {
    let config = UserConfig::parse(CONFIG).unwrap();
    let key = config.key_for(&route(Some("anthropic"), None), environment).unwrap().unwrap();
    assert_eq!(format!("{key:?} {:?}", Some(&key)), "Secret Some(Secret)");
    let repeated = format!("you sent {} to us", key.expose());
    assert_eq!(key.scrub(&repeated), "you sent [key] to us");
}

#[test]
fn every_variable_is_named_for_those_who_may_not_see_it() {
    let config = UserConfig::parse(CONFIG).unwrap();
    let mut variables: Vec<&str> = config.variables().collect();
    variables.sort_unstable();
    assert_eq!(
        variables,
        ["ANTHROPIC_API_KEY", "EXAMPLE_KEY", "INNER_KEY", "LOCAL_KEY", "REDACT_KEY"]
    );
    let redacts = config.redaction_key(environment).unwrap().unwrap();
    assert_eq!(redacts.expose(), "REDACT_KEY-REDACT_KEY");
    assert!(UserConfig::default().redaction_key(environment).unwrap().is_none());
}

#[test]
fn the_folder_is_the_users_own() {
    let home = Path::new("/u");
    let under_home = Some(home.join(".config/quittance"));
    assert_eq!(folder(Some(OsStr::new("/x")), Some(home)), Some("/x/quittance".into()));
    assert_eq!(folder(Some(OsStr::new("relative")), Some(home)), under_home);
    assert_eq!(folder(Some(OsStr::new("")), Some(home)), under_home);
    assert_eq!(folder(None, Some(home)), under_home);
    assert_eq!(folder(None, None), None);
}

#[test]
fn a_file_is_read_or_names_itself() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(UserConfig::load(folder.path()).unwrap(), UserConfig::default());
    let file = folder.path().join(FILE_NAME);
    std::fs::write(&file, CONFIG).unwrap();
    assert_eq!(UserConfig::load(folder.path()).unwrap(), UserConfig::parse(CONFIG).unwrap());
    std::fs::write(&file, "version = 1\n[keyes]\n").unwrap();
    let error = UserConfig::load(folder.path()).unwrap_err().to_string();
    assert!(error.contains(FILE_NAME) && error.contains("line 2: `keyes`"), "{error}");
    std::fs::write(&file, [0xff]).unwrap();
    assert!(UserConfig::load(folder.path()).is_err());
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let error = UserConfig::load(folder.path()).unwrap_err().to_string();
    assert!(error.ends_with("it is no file"), "{error}");
}
