"""A server on this machine that speaks as much of S3's protocol as reading takes, and gives ranges of files."""

import threading
import urllib.parse
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from xml.sax.saxutils import escape


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, files):
        super().__init__(("127.0.0.1", 0), Handler)
        #: The bytes of files by their paths, such as ``/bucket/key``.
        self.files = files
        #: The paths and ranges that were requested.
        self.requests = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def options(self):
        """The options by which the server is a store of S3."""
        return {"key": "key", "secret": "secret", "endpoint_url": self.url, "region_name": "eu-west-1"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        parts = urllib.parse.urlsplit(self.path)
        path, query = urllib.parse.unquote(parts.path), urllib.parse.parse_qs(parts.query)
        self.server.requests.append((path, self.headers.get("Range"), self.headers.get("Authorization")))
        if "list-type" in query:
            return self.answer(200, self.listed(path.rstrip("/") + "/", query.get("prefix", [""])[0]).encode())
        file = self.server.files.get(path)
        if file is None:
            return self.answer(404, b"")
        wanted = self.headers.get("Range")
        if not wanted:
            return self.answer(200, file)
        first, last = wanted.removeprefix("bytes=").split("-")
        start = int(first) if first else max(0, len(file) - int(last))
        end = min(int(last) + 1, len(file)) if first and last else len(file)
        if start >= end:
            return self.answer(416, b"")
        self.answer(206, file[start:end], {"Content-Range": f"bytes {start}-{end - 1}/{len(file)}"})

    def listed(self, bucket, prefix):
        keys = [path.removeprefix(bucket) for path in sorted(self.server.files) if path.startswith(bucket)]
        objects = "".join(
            f"<Contents><Key>{escape(key)}</Key><LastModified>2026-11-01T00:00:00Z</LastModified><Size>1</Size></Contents>"
            for key in keys
            if key.startswith(prefix)
        )
        return f"<ListBucketResult><IsTruncated>false</IsTruncated>{objects}</ListBucketResult>"

    def answer(self, status, body, headers=()):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Last-Modified", "Sun, 01 Nov 2026 00:00:00 GMT")
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


@contextmanager
def serving(files):
    """Serves files until the end of the block."""
    server = Server(files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
