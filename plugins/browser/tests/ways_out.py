"""Ways in which a page gets a browser to connect somewhere. `{bad}` is the address; `{host}` its host and port."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Way:
    """A page that tries one way."""

    page: str = ""
    works: bool = True
    """Whether our browser, too, connects where it may; others it does not even try."""
    alone: bool = False
    """It takes the whole page elsewhere, so it shares its page with no other."""


def script(text: str, **fields: bool) -> Way:
    return Way(f"<body><script>{text}</script>", **fields)


WAYS = {
    "image": Way("<img src='{bad}/a.png'>"),
    "lazy source set": Way("<picture><source srcset='{bad}/a.webp'><img src='{bad}/a.png'></picture>"),
    "script": Way("<script src='{bad}/a.js'></script>"),
    "module": Way("<script type=module>import '{bad}/a.mjs'</script>"),
    "style sheet": Way("<link rel=stylesheet href='{bad}/a.css'>"),
    "style import": Way("<style>@import url('{bad}/a.css');</style>"),
    "background": Way("<style>body {{ background: url('{bad}/a.png') }}</style>text"),
    "font": Way("<style>@font-face {{ font-family: f; src: url('{bad}/f.woff2') }} p {{ font-family: f }}</style><p>x"),
    "fetch": script("fetch('{bad}/a')"),
    "fetch without cors": script("fetch('{bad}/a', {{mode: 'no-cors', method: 'POST', body: 'x'}})"),
    "fetch of tls": script("fetch('https://{host}/a')"),
    "fetch of a number": script("fetch('http://2130706433:{port}/a')"),
    "fetch of localhost": script("fetch('http://localhost:{port}/a')", works=False),
    "fetch of ipv6": script("fetch('http://[::ffff:127.0.0.1]:{port}/a')", works=False),
    "fetch of a name": script("fetch('http://rebound.example.com:{port}/a')"),
    "xhr": script("x = new XMLHttpRequest(); x.open('GET', '{bad}/a'); x.send()"),
    "event source": script("new EventSource('{bad}/a')"),
    "web socket": script("new WebSocket('ws://{host}/a')"),
    "web socket of tls": script("new WebSocket('wss://{host}/a')"),
    "beacon": script("navigator.sendBeacon('{bad}/a', 'x')"),
    "web transport": script("new WebTransport('https://{host}/a')", works=False),
    "frame": Way("<iframe src='{bad}/'></iframe>"),
    "frame in a frame": Way('<iframe srcdoc="<img src={bad}/a.png>"></iframe>'),
    "sandboxed frame": Way("<iframe sandbox='allow-scripts' srcdoc=\"<script>fetch('{bad}/a')</script>\"></iframe>"),
    "redirected image": Way("<img src='{away}'>"),
    "redirected fetch": script("fetch('{away}', {{mode: 'no-cors'}})"),
    "redirected frame": Way("<iframe src='{away}'></iframe>"),
    "refresh": Way("<meta http-equiv=refresh content='0;url={bad}/'>", alone=True),
    "refresh by way of us": Way("<meta http-equiv=refresh content='0;url={away}'>", alone=True),
    "location": script("location = '{bad}/'", alone=True),
    "form": Way(
        "<form action='{bad}/' method=post><input name=a></form><script>document.forms[0].submit()</script>",
        alone=True,
    ),
    "download": Way("<a id=a download href='{bad}/a.bin'>x</a><script>a.click()</script>", alone=True),
    "popup": script("window.open('{bad}/')", works=False, alone=True),
    "link in a new window": Way(
        "<a id=a target=_blank href='{bad}/'>x</a><script>a.click()</script>", works=False, alone=True
    ),
    "ping": Way("<a id=a ping='{bad}/' href='#x'>x</a><script>a.click()</script>", works=False, alone=True),
    "prefetch": Way("<link rel=prefetch href='{bad}/a'>"),
    "preload": Way("<link rel=preload as=image href='{bad}/a.png'>"),
    "module preload": Way("<link rel=modulepreload href='{bad}/a.mjs'>"),
    "speculation": Way(
        '<script type=speculationrules>{{"prerender": [{{"source": "list", "urls": ["{bad}/"]}}]}}</script>',
        works=False,
    ),
    "worker": script(
        "new Worker(URL.createObjectURL(new Blob([\"importScripts('{bad}/a.js')\"])))",
    ),
    "fetch in a worker": script("new Worker(URL.createObjectURL(new Blob([\"fetch('{bad}/a')\"])))"),
    "socket in a worker": script("new Worker(URL.createObjectURL(new Blob([\"new WebSocket('ws://{host}/')\"])))"),
    "shared worker": script("new SharedWorker(URL.createObjectURL(new Blob([\"fetch('{bad}/a')\"])))"),
    "service worker": script("navigator.serviceWorker.register('{worker}')", works=False),
    "service worker by its prototype": script(
        "ServiceWorkerContainer.prototype.register.call(navigator.serviceWorker, '{worker}')", works=False
    ),
    "video": Way("<video src='{bad}/a.mp4' autoplay muted></video>"),
    "audio": Way("<audio src='{bad}/a.mp3' preload=auto></audio>"),
    "subtitles": Way(
        "<video crossorigin src='/a.mp4'><track default kind=subtitles src='{bad}/a.vtt'></video>"
        "<script>document.querySelector('track').track.mode = 'showing'</script>",
        works=False,
    ),
    "object": Way("<object data='{bad}/a.svg' type='image/svg+xml'></object>"),
    "embed": Way("<embed src='{bad}/a.html' type='text/html'>"),
    "svg": Way("<svg><image href='{bad}/a.png' width=9 height=9 /></svg>"),
    "icon": Way("<link rel=icon href='{bad}/a.ico'>", works=False, alone=True),
    "filter": Way("<style>p {{ mask: url('{bad}/a.svg#m') }}</style><p>text"),
    "webrtc over tcp": script(
        "p = new RTCPeerConnection({{iceServers: [{{urls: 'turn:{host}?transport=tcp', username: 'u',"
        " credential: 'c'}}]}});"
        "p.createDataChannel('d'); p.createOffer().then(o => p.setLocalDescription(o))",
        works=False,
    ),
}

HINTS = """<link rel=preconnect href='{bad}'><link rel=dns-prefetch href='http://prefetched.example.com:{port}'>
<link rel=manifest href='{bad}/a.json'>"""
"""What a browser without a window leaves alone, so that no canary shows anything."""
