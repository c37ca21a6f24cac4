//! A local web server that serves ranges of one file and records them, and a source for it.

use ndbytes::ReadRanges;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::ops::Range;
use std::sync::{Arc, Mutex};
use std::thread;

/// The server. It answers until the test ends.
pub struct Server {
    pub address: SocketAddr,
    asked: Arc<Mutex<Vec<Range<u64>>>>,
}

impl Server {
    pub fn start(file: Vec<u8>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let (address, asked) = (listener.local_addr().unwrap(), Arc::<Mutex<Vec<_>>>::default());
        let (file, log) = (Arc::new(file), asked.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (file, log) = (file.clone(), log.clone());
                thread::spawn(move || answer(stream.unwrap(), &file, &log).unwrap());
            }
        });
        Server { address, asked }
    }

    /// Returns the ranges requested since the last call, in ascending order.
    pub fn take(&self) -> Vec<Range<u64>> {
        let mut asked = std::mem::take(&mut *self.asked.lock().unwrap());
        asked.sort_by_key(|range| range.start);
        asked
    }
}

/// Answers one request.
fn answer(stream: TcpStream, file: &[u8], log: &Mutex<Vec<Range<u64>>>) -> io::Result<()> {
    let mut reader = BufReader::new(&stream);
    let mut request = String::new();
    reader.read_line(&mut request)?;
    let mut range = 0..file.len() as u64;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        if name == "Range" {
            let (first, last) = value.strip_prefix("bytes=").unwrap().split_once('-').unwrap();
            range = first.parse().unwrap()..last.parse::<u64>().unwrap() + 1;
        }
    }
    let part = &file[range.start as usize..range.end as usize];
    let head = format!("HTTP/1.1 206 Partial Content\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", part.len());
    (&stream).write_all(head.as_bytes())?;
    if request.starts_with("GET ") {
        log.lock().unwrap().push(range);
        (&stream).write_all(part)?;
    }
    Ok(())
}

/// The file of a server. All ranges are requested at once.
pub struct Web(pub SocketAddr);

impl Web {
    fn ask(&self, method: &str, range: Option<&Range<u64>>) -> io::Result<(u64, Vec<u8>)> {
        let mut stream = TcpStream::connect(self.0)?;
        let range = range.map(|range| format!("Range: bytes={}-{}\r\n", range.start, range.end - 1));
        let request = format!("{method} /file HTTP/1.1\r\nHost: {}\r\n{}\r\n", self.0, range.unwrap_or_default());
        stream.write_all(request.as_bytes())?;
        let mut reader = BufReader::new(stream);
        let mut length = None;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line)?;
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", value)) => length = value.parse().ok(),
                None if line.trim_end().is_empty() => break,
                _ => {}
            }
        }
        let mut body = Vec::new();
        reader.read_to_end(&mut body)?;
        length.map(|length| (length, body)).ok_or_else(|| ErrorKind::InvalidData.into())
    }
}

impl ReadRanges for Web {
    fn length(&self) -> io::Result<u64> {
        self.ask("HEAD", None).map(|(length, _)| length)
    }

    fn read_ranges(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Vec<u8>>> {
        thread::scope(|scope| {
            let get = |range| scope.spawn(move || self.ask("GET", Some(range)));
            let asked: Vec<_> = ranges.iter().map(get).collect();
            asked.into_iter().map(|asked| Ok(asked.join().unwrap()?.1)).collect()
        })
    }
}
