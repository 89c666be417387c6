"""Formulas as TeX between dollars: from MathML, KaTeX, MathJax and Wikipedia's pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .raw import raw

if TYPE_CHECKING:
    from turbohtml import Element, Node


def write_maths(root: Node) -> None:
    """Replace every formula by its TeX source; the drawn copies go."""
    for source in root.select("script[type^='math/tex']"):
        display = "display" in (source.attr("type") or "")
        source.replace_with(_tex(source.text, display=display))
    for annotation in root.select("annotation"):
        if (annotation.attr("encoding") or "").lower() in {"application/x-tex", "latex", "tex"}:
            holder = annotation.closest("math, .katex-mathml, mjx-assistive-mml") or annotation
            maths = annotation.closest("math")
            display = bool(annotation.closest(".katex-display") or (maths and maths.attr("display") == "block"))
            outer = annotation.closest(".katex, mjx-container, .mwe-math-element, .MathJax") or holder
            if outer.parent is not None:  # not yet replaced through another annotation of the same formula
                outer.replace_with(_tex(annotation.text, display=display))
    for maths in root.select("math"):
        if maths.parent is not None and (alt := maths.attr("alttext")):
            maths.replace_with(_tex(alt, display=maths.attr("display") == "block"))
    root.remove(".katex-html, .MathJax_Preview, .MathJax, mjx-container, annotation, annotation-xml")
    for picture in root.select(
        "img.mwe-math-fallback-image-inline, img.mwe-math-fallback-image-display, img.tex, img.latex"
    ):
        if alt := picture.attr("alt"):
            picture.replace_with(_tex(alt, display=False))


def _tex(source: str, *, display: bool) -> Element:
    tex = " ".join(source.split())
    if tex.startswith("{\\displaystyle ") and tex.endswith("}"):
        tex = tex[len("{\\displaystyle ") : -1].strip()
    mark = "$$" if display else "$"
    return raw(f"{mark}{tex}{mark}") if tex else raw("")
