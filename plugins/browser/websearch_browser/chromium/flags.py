"""How Chromium is started: what it must not do by itself."""

from __future__ import annotations

TAKEN_BACK = (
    # what Playwright switches on for tests of one's own pages, and is wrong for pages of strangers
    "--disable-popup-blocking",
    "--disable-ipc-flooding-protection",
    "--enable-unsafe-swiftshader",
)
"""Playwright's own switches that are left out."""


def flags(proxy: str) -> list[str]:
    """For a browser that reaches nothing but this proxy (`127.0.0.1:PORT`)."""
    return [
        f"--proxy-server=http://{proxy}",
        # without this, loopback would be reached directly
        "--proxy-bypass-list=<-loopback>",
        # only our guarded client looks names up: Chromium neither prefetches them nor goes past the proxy
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        # what does not speak TCP would not go through a proxy
        "--disable-quic",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--block-new-web-contents",
        "--deny-permission-prompts",
        "--disable-domain-reliability",
        "--disable-gpu",
        # its handlers leave the browser's session, and would outlive it for a moment
        "--disable-notifications",
        "--mute-audio",
        "--disable-speech-api",
        "--disable-file-system",
        "--disable-3d-apis",
        "--no-pings",
        # a script that takes more fails before the system runs short
        "--js-flags=--max-old-space-size=512",
    ]
