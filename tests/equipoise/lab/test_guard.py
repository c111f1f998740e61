"""Only the browser that was given the address talks to the lab."""

from __future__ import annotations

import asyncio
from collections.abc import MutableMapping
from typing import Any

import pytest

from equipoise.lab.guard import REPORT, Guard

HOME = ("host", "127.0.0.1:9000")
COOKIE = ("cookie", "equipoise-lab-9000=secret")
HERE = ("origin", "http://127.0.0.1:9000")
NEIGHBOUR = ("sec-fetch-site", "same-site")
GONE_TO = ("sec-fetch-dest", "document")

Message = MutableMapping[str, Any]
Pairs = tuple[tuple[str, str], ...]


def ask(
    kind: str, headers: Pairs, query: str = "", answer: Pairs = (), path: str = "/"
) -> tuple[list[Message], Message]:
    """Return what is sent for a request, and what reached the lab behind the guard: its scope, or {}.

    answer: Headers that the lab itself gives.
    """
    sent: list[Message] = []
    reached: Message = {}

    async def lab(scope: Any, receive: Any, send: Any) -> None:
        reached.update(scope)
        await send({"type": "http.response.start", "status": 200, "headers": coded(answer)})

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    scope = {"type": kind, "path": path, "headers": coded(headers), "query_string": query.encode()}
    asyncio.run(Guard(lab, "secret", 9000)(scope, receive, send))
    return sent, reached


def coded(pairs: Pairs) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1"), value.encode("latin-1")) for name, value in pairs]


def said(sent: list[Message]) -> dict[str, str]:
    """Return the headers of an answer."""
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


@pytest.mark.parametrize(
    ("kind", "headers"),
    [
        ("http", (HOME, COOKIE)),
        ("http", (("host", "localhost:9000"), COOKIE)),
        ("http", (HOME, COOKIE, HERE, ("sec-fetch-site", "same-origin"))),
        ("http", (HOME, COOKIE, ("sec-fetch-site", "none"))),
        ("websocket", (HOME, COOKIE, HERE)),
    ],
)
def test_the_page_of_the_lab_passes(kind: str, headers: Pairs) -> None:
    assert ask(kind, headers)[1]["type"] == kind


@pytest.mark.parametrize(
    "headers",
    [
        (HOME,),
        (HOME, ("cookie", "equipoise-lab-9000=wrong")),
        (HOME, ("cookie", "equipoise-lab-9000=")),
        (HOME, ("cookie", "equipoise-lab-9001=secret")),
        (HOME, ("cookie", "secret")),
        (HOME, COOKIE, ("origin", "http://127.0.0.1:9001")),
        (HOME, COOKIE, ("origin", "http://localhost:9000")),
        (HOME, COOKIE, ("origin", "http://127.0.0.1:9001"), HERE),
        (HOME, COOKIE, ("origin", "null")),
        (HOME, COOKIE, ("origin", "http://example.invalid")),
        (HOME, COOKIE, NEIGHBOUR),
        (HOME, COOKIE, NEIGHBOUR, ("sec-fetch-site", "same-origin")),
        (HOME, COOKIE, NEIGHBOUR, GONE_TO),
        (HOME, COOKIE, ("sec-fetch-site", "cross-site")),
        (("host", "example.invalid:9000"), COOKIE),
        (("host", "127.0.0.1"), COOKIE),
        (("host", "127.0.0.1:9000.example.invalid"), COOKIE),
    ],
)
@pytest.mark.parametrize("path", ["/", "/page/0", "/_nicegui_ws/socket.io/"])
def test_everything_else_is_refused(path: str, headers: Pairs) -> None:
    sent, reached = ask("http", headers, path=path)
    assert (sent[0]["status"], reached) == (403, {})
    here = () if any(name == "origin" for name, _ in headers) else (HERE,)
    sent, reached = ask("websocket", (*headers, *here), path=path)
    assert (sent[0]["code"], reached) == (1008, {})


def test_a_socket_needs_an_origin() -> None:
    assert ask("websocket", (HOME, COOKIE))[0][0]["code"] == 1008


@pytest.mark.parametrize(
    "hosts", [(), (("host", "example.invalid"), HOME), (HOME, ("host", "example.invalid")), (HOME, HOME)]
)
def test_a_request_names_one_host(hosts: Pairs) -> None:
    sent, reached = ask("http", (*hosts, COOKIE))
    assert (sent[0]["status"], reached) == (400, {})


@pytest.mark.parametrize(
    "other",
    [
        'prefs={"a": 1}',
        "a b=1",
        "a[0]=1",
        'a="open',
        "a=1,2",
        "word",
        "name=é",
        "path=/",
        "\x7f=;;=",
        "equipoise-lab-9000=wrong",
        "equipoise-lab-9000=é",
    ],
)
def test_cookies_of_other_programs_keep_nobody_out(other: str) -> None:
    for line in (f"{other}; {COOKIE[1]}", f"{COOKIE[1]};{other}"):
        assert ask("http", (HOME, ("cookie", line)))[1], line
    assert ask("http", (HOME, ("cookie", other), COOKIE))[1]


def test_only_somebody_who_goes_to_an_address_changes_the_rules() -> None:
    asked = "skill=experts&players=3&set=starting_coins.2%3D1"
    for headers, wanted in (
        ((GONE_TO, ("sec-fetch-site", "none")), asked),
        ((("sec-fetch-dest", "image"),), ""),
        ((("sec-fetch-dest", "iframe"), ("sec-fetch-site", "same-origin")), ""),
        ((("sec-fetch-dest", "image"), GONE_TO), ""),
        ((), ""),
    ):
        assert ask("http", (HOME, COOKIE, *headers), asked)[1]["query_string"].decode() == wanted, headers
    assert ask("http", (HOME, COOKIE), "EIO=4", path="/_nicegui_ws/socket.io/")[1]["query_string"] == b"EIO=4"


def test_no_other_page_frames_the_lab() -> None:
    for sent in (ask("http", (HOME, COOKIE))[0], ask("http", (HOME,))[0], ask("http", (HOME,), "token=secret")[0]):
        assert said(sent)["x-frame-options"] == "DENY"
        assert "frame-ancestors 'none'" in said(sent)["content-security-policy"]
    own = said(ask("http", (HOME, COOKIE), answer=tuple(REPORT.items()))[0])
    assert own == REPORT, "a page to step through stands in a frame of the lab, and has no other headers"


@pytest.mark.parametrize("cookie", [(), (COOKIE,), (("cookie", "equipoise-lab-9000=old"),)])
def test_the_token_becomes_a_cookie_and_leaves_the_address(cookie: Pairs) -> None:
    sent, reached = ask(
        "http", (HOME, *cookie), "token=secret&players=3&set=a%3D1&set=b%3D2", path="//example.invalid/"
    )
    assert (sent[0]["status"], reached) == (303, {})
    assert said(sent)["location"] == "/?players=3&set=a%3D1&set=b%3D2", "no other host, and no token"
    assert said(sent)["set-cookie"] == "equipoise-lab-9000=secret; HttpOnly; SameSite=Strict; Path=/"


def test_a_wrong_token_is_refused() -> None:
    assert ask("http", (HOME,), "token=guess")[0][0]["status"] == 403
    assert ask("http", (HOME, NEIGHBOUR), "token=secret")[0][0]["status"] == 403
    assert ask("http", (("host", "example.invalid"),), "token=secret")[0][0]["status"] == 403
    assert ask("websocket", (HOME, HERE), "token=secret")[0][0]["code"] == 1008, "a socket has the cookie"
