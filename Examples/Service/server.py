"""A small shop: GET /health, GET /items, POST /items. TERM ends it."""

import http.server
import signal
import sys

items = []


class Shop(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.reply(200, "ok" if self.path == "/health" else "\n".join(items))

    def do_POST(self):
        items.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
        self.reply(201, f"{len(items)} items")

    def reply(self, status, text):
        body = (text + "\n").encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, form, *arguments):
        print(form % arguments)


def end(*_):
    print("the shop closes")
    sys.exit(0)


signal.signal(signal.SIGTERM, end)
print("listening on port", sys.argv[1])
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Shop).serve_forever()
