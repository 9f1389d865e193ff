//! One manual page, with the sections that people look for.

use std::fmt::Write as _;
use std::io;

use clap::Command;
use clap_mangen::Man;

/// The page of a command, in ASCII, which every `man` reads.
pub(super) fn page(mut command: Command) -> io::Result<String> {
    let usage = command.render_usage().to_string();
    let usage = usage.strip_prefix("Usage: ").unwrap_or(&usage).to_owned();
    let told = told(&command);
    let has_options = command.get_arguments().any(|argument| !argument.is_hide_set());
    let has_commands = command.has_subcommands();
    let man = Man::new(command);
    let mut bytes = Vec::new();
    man.render_title(&mut bytes)?;
    man.render_name_section(&mut bytes)?;
    bytes.extend(section("SYNOPSIS", &[&usage], Fill::Kept).into_bytes());
    man.render_description_section(&mut bytes)?;
    if has_options {
        man.render_options_section(&mut bytes)?;
    }
    if has_commands {
        man.render_subcommands_section(&mut bytes)?;
    }
    bytes.extend(told.into_bytes());
    Ok(ascii(&String::from_utf8_lossy(&bytes)))
}

/// What its help says before and after the options: examples, exit codes, the rest.
fn told(command: &Command) -> String {
    let helps = [command.get_before_help(), command.get_after_help()];
    let helps = helps.into_iter().flatten().map(ToString::to_string).collect::<Vec<_>>();
    let paragraphs = || helps.iter().flat_map(|help| help.split("\n\n"));
    let of = |head: &'static str| paragraphs().filter_map(move |part| part.strip_prefix(head));
    let rest = paragraphs().filter(|part| !part.starts_with(EXAMPLE) && !part.starts_with(EXIT));
    [
        section("NOTES", &rest.collect::<Vec<_>>(), Fill::Filled),
        section("EXAMPLES", &of(EXAMPLE).collect::<Vec<_>>(), Fill::Kept),
        section("EXIT STATUS", &of(EXIT).collect::<Vec<_>>(), Fill::Filled),
    ]
    .concat()
}

const EXAMPLE: &str = "Example:";
const EXIT: &str = "Exit codes:";

/// Whether lines are broken anew.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fill {
    Filled,
    Kept,
}

fn section(title: &str, paragraphs: &[&str], fill: Fill) -> String {
    if paragraphs.is_empty() {
        return String::new();
    }
    let mut text = format!(".SH \"{title}\"\n");
    for paragraph in paragraphs {
        let lines: Vec<String> = paragraph.trim().lines().map(line).collect();
        let body = lines.join("\n");
        // Writing to a String cannot fail.
        let _ = match fill {
            Fill::Filled => writeln!(text, ".PP\n{body}"),
            Fill::Kept => writeln!(text, ".PP\n.nf\n{body}\n.fi"),
        };
    }
    text
}

/// A line of text, none of which is a request of roff's.
fn line(text: &str) -> String {
    let text = text.trim().replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

/// Whatever is not ASCII, by its name.
fn ascii(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    for character in text.chars() {
        if character.is_ascii() {
            page.push(character);
        } else {
            let _ = write!(page, "\\[u{:04X}]", u32::from(character));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_request() {
        assert_eq!(line(".so /etc/passwd"), "\\&.so /etc/passwd");
        assert_eq!(line("  'a\\b --c"), "\\&'a\\eb \\-\\-c");
        assert_eq!(ascii("a…😀"), "a\\[u2026]\\[u1F600]");
    }
}
