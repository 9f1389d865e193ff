//! A server on loopback, written out: it keeps what it is sent and plays what it is told.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::Value;

/// How long a test waits for what must come; ample even where the machine is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// What becomes of a request.
#[derive(Clone, Debug)]
pub(crate) enum Play {
    /// An answer.
    Answer { status: String, headers: Vec<String>, body: String },
    /// Text after which the connection is closed.
    Cut(String),
    /// Nothing, until the other side gives up.
    Silence,
    /// The beginning of an answer and then nothing, until the other side gives up.
    Stall(String),
    /// The head of an answer and then byte after byte, as long as anybody reads.
    Flood,
}

impl Play {
    /// An answer in JSON.
    pub(crate) fn json(status: &str, body: &Value) -> Self {
        Self::answer(status, "content-type: application/json", &body.to_string())
    }

    /// An answer with one header of its own.
    pub(crate) fn answer(status: &str, header: &str, body: &str) -> Self {
        let headers = vec![header.to_owned()];
        Self::Answer { status: status.to_owned(), headers, body: body.to_owned() }
    }

    /// What a list of answers says, and what it calls it.
    pub(crate) fn told(case: &Value) -> (String, Self) {
        let text = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
        let play = if case["flood"] == true {
            Self::Flood
        } else if case["cut"].is_string() {
            Self::Cut(text("cut"))
        } else {
            let times = case["times"].as_u64().unwrap_or(1);
            let headers = case["headers"].as_array().unwrap();
            Self::Answer {
                status: text("status"),
                headers: headers.iter().map(|line| line.as_str().unwrap().to_owned()).collect(),
                body: text("body").repeat(usize::try_from(times).unwrap()),
            }
        };
        (text("name"), play)
    }
}

/// A request as it came.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Request {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    pub(crate) fn line(&self) -> &str {
        self.head.lines().next().unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut fields = self.head.lines().filter_map(|line| line.split_once(':'));
        fields.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    }
}

/// A server that plays the same to every connection.
#[derive(Debug)]
pub(crate) struct Server {
    address: SocketAddr,
    requests: Arc<Mutex<Vec<Request>>>,
    /// How many bytes of a body went out before a connection ended.
    sent: Receiver<u64>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(crate) fn play(play: Play) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let is_over = Arc::new(AtomicBool::new(false));
        let (ended, sent) = channel();
        let stage = Stage { requests: Arc::clone(&requests), play, ended };
        let over = Arc::clone(&is_over);
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::Acquire) {
                    return;
                }
                stage.serve(stream.unwrap());
            }
        });
        Self { address, requests, sent, is_over, thread: Some(thread) }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Everything that was asked until now.
    pub(crate) fn requests(&self) -> Vec<Request> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits for a connection to end; gives the bytes of body that went out on it.
    pub(crate) fn ended(&self) -> u64 {
        self.sent.recv_timeout(PATIENCE).expect("a connection came and went")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Release);
        drop(TcpStream::connect(self.address));
        if let Some(thread) = self.thread.take() {
            let outcome = thread.join();
            assert!(outcome.is_ok() || std::thread::panicking());
        }
    }
}

struct Stage {
    requests: Arc<Mutex<Vec<Request>>>,
    play: Play,
    ended: Sender<u64>,
}

impl Stage {
    fn serve(&self, mut stream: TcpStream) {
        let Some(request) = read(&mut stream) else { return };
        self.requests.lock().unwrap().push(request);
        let sent = match &self.play {
            Play::Answer { status, headers, body } => {
                let length = body.len();
                let headers: Vec<String> =
                    headers.iter().map(|line| format!("{line}\r\n")).collect();
                let headers = headers.concat();
                let head =
                    format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\n\r\n");
                write(&mut stream, head.as_bytes());
                write(&mut stream, body.as_bytes())
            }
            Play::Cut(text) | Play::Stall(text) => write(&mut stream, text.as_bytes()),
            Play::Silence => 0,
            Play::Flood => flood(&mut stream),
        };
        if matches!(self.play, Play::Silence | Play::Stall(_)) {
            // The other side says nothing more: this returns when it is gone.
            let _gone = stream.read(&mut [0]);
        }
        let _closed = stream.shutdown(Shutdown::Both);
        let _unheard = self.ended.send(sent);
    }
}

fn write(stream: &mut TcpStream, bytes: &[u8]) -> u64 {
    if stream.write_all(bytes).is_ok() { bytes.len() as u64 } else { 0 }
}

fn flood(stream: &mut TcpStream) -> u64 {
    write(stream, b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"a\": \"");
    let chunk = [b'a'; 65536];
    let mut sent = 0;
    while let Ok(written @ 1..) = stream.write(&chunk) {
        sent += written as u64;
    }
    sent
}

fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    let at = loop {
        if let Some(at) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
        match stream.read(&mut chunk) {
            Ok(count @ 1..) => bytes.extend(chunk.iter().take(count)),
            Ok(0) | Err(_) => return None,
        }
    };
    let mut body = bytes.split_off(at);
    let head = String::from_utf8(bytes).unwrap();
    let mut request = Request { head, body: String::new() };
    let length: usize = request.header("content-length").unwrap_or("0").parse().unwrap();
    while body.len() < length {
        match stream.read(&mut chunk) {
            Ok(count @ 1..) => body.extend(chunk.iter().take(count)),
            Ok(0) | Err(_) => return None,
        }
    }
    request.body = String::from_utf8(body).unwrap();
    Some(request)
}
