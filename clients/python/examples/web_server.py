"""Serves every prompt over HTTP: curl 'http://localhost:4000/support/triage?request=It+leaks'

The prompts are loaded once. All threads of the server read them, and they follow every change.
"""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, unquote, urlsplit

from promptharbor import ApiError, PromptHarbor

prompts = PromptHarbor().prompts.load(fallback_file=".cache/prompts.json")


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        url = urlsplit(self.path)
        prompt = prompts.find(unquote(url.path[1:]))
        if prompt is None:
            self.respond(404, "There is no such prompt.")
            return
        try:
            rendered = prompt.render(dict(parse_qsl(url.query)))
        except ApiError as err:
            self.respond(err.status, str(err))
            return
        self.respond(200, rendered.text if prompt.type == "text" else str(rendered.messages))

    def respond(self, status: int, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("content-type", "text/plain; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write no log."""


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
