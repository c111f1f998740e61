"""Who may talk to the lab: only the browser that was given its address, on this machine.

The guard stands before the whole application, web sockets included.  A request needs this machine's address in `Host`
(against DNS rebinding), and the cookie that the address with the token was exchanged for.  Pages on other ports of this
machine send that cookie, too, so that no other `Origin` and no other site in `Sec-Fetch-Site` passes.
"""

from __future__ import annotations

import hmac
from collections import defaultdict
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Headers = MutableMapping[str, list[str]]  # all values of each name

TOKEN = "token"
"""Name of the part of the address that holds the token."""

HOME = "/"
"""Where the page of the lab is; its parameters change what the lab plays."""

SITES = {"same-origin", "none"}
"""What a browser says of requests by the lab's own page, and by somebody who typed or pasted the address."""

POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; connect-src 'self' {sockets}; object-src 'none'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""What the page of the lab may do: NiceGUI has scripts in its page and evaluates some; Safari wants sockets by name."""

REPORT = {
    "x-frame-options": "SAMEORIGIN",
    "content-security-policy": "sandbox allow-scripts allow-downloads; frame-ancestors 'self'",
}
"""Headers of a page that a command wrote: the lab may show it in a frame, and no script in it reaches the lab."""

REFUSED = {
    400: b"400: a request names one Host.\n",
    403: b"403: paste the address that `equipoise lab` printed into the address bar of your browser.\n",
}


class Guard:
    """An ASGI application that lets through only what belongs to the lab's own page.

    app: The application behind it.
    token: The secret of this lab.
    port: The port on which it listens.
    """

    def __init__(self, app: Callable[[Scope, Receive, Send], Awaitable[None]], token: str, port: int) -> None:
        self.app, self.token = app, token
        self.hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self.cookie = f"equipoise-lab-{port}"
        policy = POLICY.format(sockets=" ".join(f"ws://{host}" for host in sorted(self.hosts)))
        self.headers = {"x-frame-options": "DENY", "content-security-policy": policy}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        kind = scope["type"]
        if kind not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers: Headers = defaultdict(list)
        for name, value in scope["headers"]:
            headers[name.decode("latin-1").lower()].append(value.decode("latin-1"))
        query = parse_qsl(scope["query_string"].decode("latin-1"))
        if len(headers["host"]) != 1:
            await self._refuse(400, kind, receive, send)
        elif not self._is_here(kind, headers):
            await self._refuse(403, kind, receive, send)
        elif kind == "http" and any(name == TOKEN and self._equal(value) for name, value in query):
            await self._welcome([pair for pair in query if pair[0] != TOKEN], send)
        elif self._knows(headers):
            if scope["path"] == HOME and headers["sec-fetch-dest"] != ["document"]:
                scope = {**scope, "query_string": b""}  # nobody went to that address: it is an image, say
            await self.app(scope, receive, self._guarded(send))
        else:
            await self._refuse(403, kind, receive, send)

    def _is_here(self, kind: str, headers: Headers) -> bool:
        host, origins = headers["host"][0], set(headers["origin"])
        if host not in self.hosts or not SITES.issuperset(headers["sec-fetch-site"]):
            return False
        return origins == {f"http://{host}"} or (kind == "http" and not origins)

    def _knows(self, headers: Headers) -> bool:
        """Return whether a cookie is that of this lab; other programs on this machine leave cookies of any form."""
        pairs = (pair.partition("=") for line in headers["cookie"] for pair in line.split(";"))
        return any(name.strip() == self.cookie and self._equal(value.strip()) for name, _, value in pairs)

    def _equal(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self.token.encode())

    async def _welcome(self, query: Sequence[tuple[str, str]], send: Send) -> None:
        """Exchange the token for a cookie, and take it out of the address."""
        headers = {
            "location": HOME + (f"?{urlencode(query)}" if query else ""),
            "set-cookie": f"{self.cookie}={self.token}; HttpOnly; SameSite=Strict; Path=/",
            "cache-control": "no-store",
            "referrer-policy": "no-referrer",
        }
        await self._answer(303, b"", headers, send)

    async def _refuse(self, status: int, kind: str, receive: Receive, send: Send) -> None:
        if kind == "http":
            await self._answer(status, REFUSED[status], {"content-type": "text/plain; charset=utf-8"}, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008})

    async def _answer(self, status: int, body: bytes, headers: dict[str, str], send: Send) -> None:
        pairs = {**headers, "content-length": str(len(body))}.items()
        encoded = [(name.encode(), value.encode("latin-1")) for name, value in pairs]
        await self._guarded(send)({"type": "http.response.start", "status": status, "headers": encoded})
        await send({"type": "http.response.body", "body": body})

    def _guarded(self, send: Send) -> Send:
        """Return what sends an answer, with the headers of the lab if it has none of its own."""

        async def send_guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                own = {name.lower().decode("latin-1") for name, _ in message["headers"]}
                more = [(name.encode(), value.encode()) for name, value in self.headers.items() if name not in own]
                message = {**message, "headers": [*message["headers"], *more]}
            await send(message)

        return send_guarded
