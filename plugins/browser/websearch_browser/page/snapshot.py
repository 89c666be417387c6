"""What a rendered page looks like: its document as it stands now, and a picture of what a screen shows."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING

from websearch_core.kit import TooLarge, Unsupported

from .hidden_elements import MARK

if TYPE_CHECKING:
    from ..chromium.devtools import DevTools

MAX_PICTURE = 1_500_000
"""Bytes of a screenshot: more than that few models take."""
_SCALES = (1.0, 0.75, 0.5, 0.35, 0.25)

# Run in a world of our own (same document, other globals), so that the page cannot answer in the browser's place.
# Open shadow trees are written into the document, slots filled, because readers of HTML do not look into them. Nor do
# they compute styles as a browser does: what it does not show is marked.
_READ = """
((limit, mark) => {
  const type = document.contentType, url = location.href, root = document.documentElement;
  if (!root) return {type, url, html: ''};
  const hosts = [];
  const walk = tree => {
    for (const element of tree.querySelectorAll('*'))
      if (element.shadowRoot) { hosts.push(element); walk(element.shadowRoot); }
  };
  walk(document);
  if (document instanceof HTMLDocument || type === 'application/xhtml+xml')
    mark([document, ...hosts.map(host => host.shadowRoot)]);
  for (const host of hosts.reverse()) {
    const tree = host.shadowRoot;
    for (const slot of tree.querySelectorAll('slot')) {
      const given = slot.assignedNodes();
      slot.replaceWith(...(given.length ? given : slot.childNodes));
    }
    host.replaceChildren(...[...tree.childNodes].filter(node => node.nodeName !== 'STYLE'));
  }
  const html = (document.doctype ? '<!DOCTYPE html>' : '') + root.outerHTML;
  return {type, url, html: html.length > limit ? null : html};
})
"""
_READABLE = ("text/", "application/xhtml+xml", "application/xml", "application/json")


async def document(devtools: DevTools, max_bytes: int) -> tuple[str, bytes]:
    """The document as it stands, after its address. Raises `TooLarge`, and `Unsupported` for what is no page.

    An address that is none of the web is the browser's own: its words on what could not be loaded.
    """
    frames = await devtools.send("Page.getFrameTree")
    frame = frames["frameTree"]["frame"]["id"]
    world = (await devtools.send("Page.createIsolatedWorld", frameId=frame))["executionContextId"]
    given = await devtools.send(
        "Runtime.evaluate", expression=f"{_READ}({max_bytes}, {MARK})", contextId=world, returnByValue=True
    )
    found = given["result"].get("value") or {"type": "", "url": "", "html": ""}
    url = str(found["url"]).partition("#")[0]
    if not url.startswith(("http://", "https://")):
        return url, b""
    if not str(found["type"]).startswith(_READABLE):
        raise Unsupported("only pages of text can be rendered; ask for this document without rendering")
    if found["html"] is None or len(html := str(found["html"]).encode("utf-8", "replace")) > max_bytes:
        raise TooLarge(f"the rendered document is larger than {max_bytes} bytes")
    return url, html


async def picture(devtools: DevTools, width: int, height: int) -> bytes:
    """PNG of what a screen shows, made smaller until it is small enough."""
    for scale in _SCALES:
        clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": scale}
        shot = await devtools.send("Page.captureScreenshot", format="png", clip=clip)
        image = b64decode(shot["data"])
        if len(image) <= MAX_PICTURE:
            return image
    raise TooLarge("the picture of this page is larger than the limit")
