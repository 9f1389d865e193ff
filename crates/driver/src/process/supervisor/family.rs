//! Who is whose child, as `/proc` shows it.

use std::fs;

use rustix::process::Pid;

/// The children of a process: as its threads list them, or, where the kernel keeps no such lists,
/// by asking every process for its parent.
pub(super) fn children(parent: Pid) -> Vec<Pid> {
    listed(parent).unwrap_or_else(|| searched(parent))
}

fn listed(parent: Pid) -> Option<Vec<Pid>> {
    let threads = fs::read_dir(format!("/proc/{}/task", parent.as_raw_pid())).ok()?;
    let mut found = Vec::new();
    for thread in threads.flatten() {
        match fs::read_to_string(thread.path().join("children")) {
            Ok(list) => found.extend(list.split_ascii_whitespace().filter_map(pid)),
            // A thread that has ended meanwhile shows none; a kernel without lists has no file.
            Err(_) if thread.path().join("stat").exists() => return None,
            Err(_) => {}
        }
    }
    Some(found)
}

fn searched(parent: Pid) -> Vec<Pid> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = processes.flatten().filter_map(|entry| pid(entry.file_name().to_str()?));
    pids.filter(|child| parent_of(*child) == Some(parent)).collect()
}

/// The parent of a process.
pub(super) fn parent_of(child: Pid) -> Option<Pid> {
    parent_in(&fs::read_to_string(format!("/proc/{}/stat", child.as_raw_pid())).ok()?)
}

/// The fourth field of a `stat` line. The second is the program's name in parentheses, and a name
/// may hold anything.
fn parent_in(stat: &str) -> Option<Pid> {
    let (_, fields) = stat.rsplit_once(')')?;
    pid(fields.split_ascii_whitespace().nth(1)?)
}

fn pid(text: &str) -> Option<Pid> {
    text.parse().ok().filter(|number| *number > 0).and_then(Pid::from_raw)
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};

    use super::*;

    #[test]
    fn a_name_cannot_forge_a_parent() {
        assert_eq!(parent_in("7 (sh) S 3 7 7 0"), pid("3"));
        assert_eq!(parent_in("7 (a) S 1 (b)) S 3 7 7 0"), pid("3"));
        for broken in ["", "7", "7 (sh", "7 (sh)", "7 (sh) S", "7 (sh) S x", "7 (sh) S 0 0"] {
            assert_eq!(parent_in(broken), None, "{broken}");
        }
    }

    #[test]
    fn both_ways_find_the_same_children() {
        let start = || Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut own: Vec<Child> = (0..3).map(|_| start().unwrap()).collect();
        let me = rustix::process::getpid();
        for child in &own {
            let child = Pid::from_child(child);
            assert_eq!(parent_of(child), Some(me));
            assert!(searched(me).contains(&child));
            if let Some(list) = listed(me) {
                assert!(list.contains(&child));
            }
        }
        for child in &mut own {
            drop(child.stdin.take());
            assert!(child.wait().unwrap().success());
        }
    }
}
