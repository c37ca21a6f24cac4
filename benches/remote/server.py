"""A web server on this machine that gives ranges after a delay, and counts requests and bytes: `server.py FOLDER SECONDS`.

It prints its port. `GET /-/counts` gives the numbers since the last time, as JSON, without a delay.
"""

import json
import os
import socketserver
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, HTTPServer

FOLDER, DELAY = sys.argv[1], float(sys.argv[2])
counts = {"requests": 0, "bytes": 0}
lock = threading.Lock()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body of an answer leave together, as those of a real server do.
    wbufsize = 1 << 20
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        path = urllib.parse.unquote(urllib.parse.urlsplit(self.path).path).lstrip("/")
        if path == "-/counts":
            with lock:
                body = json.dumps(counts).encode()
                counts.update(requests=0, bytes=0)
            return self.answer(200, body)
        time.sleep(DELAY)
        file = os.path.join(FOLDER, path)
        is_there = os.path.isfile(file)
        size = os.path.getsize(file) if is_there else 0
        first, last = 0, size - 1
        wanted = self.headers.get("Range")
        if wanted:
            start, end = wanted.removeprefix("bytes=").split("-")
            first = int(start) if start else max(0, size - int(end))
            last = min(int(end), size - 1) if start and end else size - 1
        head = self.command == "HEAD"
        with lock:
            counts["requests"] += 1
            counts["bytes"] += 0 if head or not is_there else max(0, last - first + 1)
        if not is_there:
            return self.answer(404, b"")
        if first > last:
            return self.answer(416, b"", {"Content-Range": f"bytes */{size}"})
        with open(file, "rb") as opened:
            opened.seek(first)
            body = b"" if head else opened.read(last - first + 1)
        ranged = {"Content-Range": f"bytes {first}-{last}/{size}"} if wanted else {}
        self.answer(206 if wanted else 200, body, {"Content-Length": str(last - first + 1), "ETag": '"1"', **ranged})

    def answer(self, status, body, headers=()):
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), "Accept-Ranges": "bytes", **dict(headers)}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()


class Server(socketserver.ThreadingMixIn, HTTPServer):
    daemon_threads = True
    request_queue_size = 256


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
