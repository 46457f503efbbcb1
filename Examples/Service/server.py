"""A small shop: GET /health, GET /items, POST /items. TERM ends it."""

import http.server
import signal
import sqlite3
import sys

PORT, DATABASE = int(sys.argv[1]), sys.argv[2]


class Shop(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.reply(200, "ok" if self.path == "/health" else "\n".join(names()))

    def do_POST(self):
        name = self.rfile.read(int(self.headers["Content-Length"])).decode()
        with sqlite3.connect(DATABASE) as store:
            store.execute("INSERT OR IGNORE INTO items (name) VALUES (?)", [name])
        self.reply(201, f"{len(names())} items")

    def reply(self, status, text):
        body = (text + "\n").encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, form, *arguments):
        print(form % arguments)


def names():
    return [name for (name,) in sqlite3.connect(DATABASE).execute("SELECT name FROM items ORDER BY id")]


def end(*_):
    print("the shop closes")
    sys.exit(0)


signal.signal(signal.SIGTERM, end)
print("listening on port", PORT)
http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Shop).serve_forever()
