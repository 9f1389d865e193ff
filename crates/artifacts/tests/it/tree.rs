//! Builds the tree a case describes, and takes it down again.

use std::ffi::OsString;
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use tempfile::TempDir;

/// One entry; folders above it are made as needed.
#[derive(Debug, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(crate) enum Entry {
    Folder {
        folder: String,
    },
    File {
        file: String,
    },
    Link {
        link: String,
        to: String,
    },
    Pipe {
        pipe: String,
    },
    Socket {
        socket: String,
    },
    /// An octal mode, set after everything is there.
    Mode {
        mode: String,
        of: String,
    },
}

/// A tree in a temporary folder, its modes restored before it is removed.
pub(crate) struct Tree {
    base: TempDir,
    moded: Vec<PathBuf>,
}

impl Tree {
    pub(crate) fn build(entries: &[Entry]) -> Self {
        let base = TempDir::new().unwrap();
        // Another user must get in.
        mode(base.path(), 0o755);
        let mut tree = Self { base, moded: Vec::new() };
        for entry in entries {
            tree.add(entry);
        }
        for entry in entries {
            if let Entry::Mode { mode: octal, of } = entry {
                let path = tree.path(of);
                mode(&path, u32::from_str_radix(octal, 8).unwrap());
                tree.moded.push(path);
            }
        }
        tree
    }

    pub(crate) fn base(&self) -> &Path {
        self.base.path()
    }

    /// `{base}` stands for the temporary folder.
    pub(crate) fn fill(&self, text: &str) -> String {
        text.replace("{base}", self.base().to_str().unwrap())
    }

    pub(crate) fn path(&self, text: &str) -> PathBuf {
        self.base().join(bytes(&self.fill(text)))
    }

    fn add(&self, entry: &Entry) {
        match entry {
            Entry::Folder { folder } => fs::create_dir_all(self.path(folder)).unwrap(),
            Entry::File { file } => fs::write(self.place(file), "x").unwrap(),
            Entry::Link { link, to } => symlink(bytes(&self.fill(to)), self.place(link)).unwrap(),
            Entry::Pipe { pipe } => {
                let made = Command::new("mkfifo").arg(self.place(pipe)).status().unwrap();
                assert!(made.success());
            }
            Entry::Socket { socket } => drop(UnixListener::bind(self.place(socket)).unwrap()),
            Entry::Mode { .. } => {}
        }
    }

    /// The path of an entry, with the folder it goes into.
    fn place(&self, text: &str) -> PathBuf {
        let path = self.path(text);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        for path in &self.moded {
            mode(path, 0o755);
        }
    }
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Reads `\xff` as that byte.
fn bytes(text: &str) -> OsString {
    let mut parts = text.split("\\x");
    let mut out = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        let (hex, rest) = part.split_at(2);
        out.push(u8::from_str_radix(hex, 16).unwrap());
        out.extend_from_slice(rest.as_bytes());
    }
    OsString::from_vec(out)
}
