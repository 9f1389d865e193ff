//! A question in the client library's terms: two messages, the schema, what is set of the model.

use genai::adapter::AdapterKind;
use genai::chat::{CacheControl, ChatMessage, ChatOptions, ChatRequest, JsonSpec, ReasoningEffort};
use quittance_judge::policy::Tuning;
use quittance_judge::prompt::Prompt;
use serde_json::Value;

use super::failure::Trouble;
use super::schema::{Dialect, wire};

/// What the schema is called; some providers ask for a name.
const SCHEMA_NAME: &str = "quittance_verdict";

/// What is set of the model.
#[derive(Clone, Debug, Default)]
pub(super) struct Knobs {
    temperature: Option<f64>,
    max_tokens: Option<u32>,
    top_p: Option<f64>,
    effort: Option<ReasoningEffort>,
}

/// Why a setting of the model is of no use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("set `{key}` of the model: expected {expected}")]
#[non_exhaustive]
pub struct TuningError {
    /// The setting.
    pub key: &'static str,
    /// What it takes.
    pub expected: &'static str,
}

impl Knobs {
    /// Reads the settings. `tool_format` says how tools are offered, and a judge is offered none.
    pub(super) fn read(tuning: &Tuning) -> Result<Self, TuningError> {
        let set = |key| tuning.overrides.get(key).filter(|value: &&Value| !value.is_null());
        let number = |key: &'static str| {
            let wrong = TuningError { key, expected: "a number" };
            set(key).map(|value| value.as_f64().ok_or(wrong)).transpose()
        };
        let whole = |value: &Value| value.as_u64().and_then(|count| u32::try_from(count).ok());
        let wrong = TuningError { key: "max_tokens", expected: "a whole number of 32 bits" };
        let max_tokens = set("max_tokens").map(|value| whole(value).ok_or(wrong)).transpose()?;
        let word = |value: &Value| ReasoningEffort::from_keyword(value.as_str()?);
        let expected = "zero, minimal, low, medium, high, xhigh or max";
        let wrong = TuningError { key: "effort", expected };
        let effort = set("effort").map(|value| word(value).ok_or(wrong)).transpose()?;
        let (temperature, top_p) = (number("temperature")?, number("top_p")?);
        Ok(Self { temperature, max_tokens, top_p, effort })
    }

    /// The options of one question.
    pub(super) fn options(&self, form: AdapterKind, model: &str, schema: &Value) -> ChatOptions {
        let schema = wire(schema, Dialect::of(form));
        let mut options =
            ChatOptions::default().with_response_format(JsonSpec::new(SCHEMA_NAME, schema));
        options.temperature = self.temperature;
        options.max_tokens = self.max_tokens;
        options.top_p = self.top_p;
        options.reasoning_effort = self.effort.clone();
        if self.effort.is_none() && name_of(form, model) == Name::WholeBesideBudget {
            options.reasoning_effort = Some(ReasoningEffort::Budget(0));
        }
        options
    }

    /// Fails for a model's name that the library would change on its way: a receipt says which
    /// model was asked.
    pub(super) fn check_name(&self, form: AdapterKind, model: &str) -> Result<(), Trouble> {
        let problem = if model.contains("::") {
            "the client library takes what stands before `::` for a provider"
        } else if self.effort.is_none() && name_of(form, model) == Name::Cut {
            "the client library takes the effort off its end; leave it off and set `effort`"
        } else {
            return Ok(());
        };
        Err(Trouble::environment(format!("ask for the model `{model}`: {problem}")))
    }
}

/// What the library makes of a model's name when no effort is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Name {
    /// It goes out as it is.
    Whole,
    /// It would lose its end. With a budget set it does not, and this form sends no budget.
    WholeBesideBudget,
    /// It would lose its end.
    Cut,
}

/// The library takes a word like `-high` off a name and sends it as the effort, from `qwen-max`
/// too, whose name that is.
fn name_of(form: AdapterKind, model: &str) -> Name {
    match form {
        _ if ReasoningEffort::from_model_name(model).0.is_none() => Name::Whole,
        AdapterKind::Cohere
        | AdapterKind::Ollama
        | AdapterKind::OllamaCloud
        | AdapterKind::BedrockApi => Name::Whole,
        AdapterKind::DeepSeek => Name::Cut,
        other if Dialect::of(other) == Dialect::AllRequired => Name::WholeBesideBudget,
        _ => Name::Cut,
    }
}

/// The two messages. The prefix is marked for the provider's cache: the form that has such marks
/// sends one, the others cache by themselves.
pub(super) fn request(prompt: &Prompt) -> ChatRequest {
    let user = ChatMessage::user(prompt.user.clone());
    if prompt.system.is_empty() {
        return ChatRequest::new(vec![user]);
    }
    let system = ChatMessage::system(prompt.system.to_string());
    ChatRequest::new(vec![system.with_options(CacheControl::Ephemeral), user])
}
