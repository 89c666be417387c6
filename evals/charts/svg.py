"""A small writer of SVG: bars, lines and text on a white ground, which reads alike on light and dark pages."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

INK, FAINT, GRID = "#1f2328", "#59636e", "#d8dee4"
BLUE, LIGHT_BLUE, RED, AMBER = "#1f6fb5", "#a6cbe8", "#b3393a", "#e0a33e"


class Drawing:
    """Shapes in the order of drawing. Numbers are written with one digit, so that the same data give the same bytes."""

    def __init__(self, width: float, height: float, title: str, about: str) -> None:
        """`about` is read to people who do not see the picture."""
        self._size = width, height
        self._about = f"{title}. {about}"
        self._shapes: list[str] = []
        self.text(20, 28, title, size=16, weight="bold")
        self.text(20, 48, about, fill=FAINT)

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        anchor: str = "start",
        size: int = 12,
        fill: str = INK,
        weight: str = "",
    ) -> None:
        """Words whose base line begins, ends or has its middle at this point."""
        bold = f' font-weight="{weight}"' if weight else ""
        self._shapes.append(
            f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{fill}" text-anchor="{anchor}"{bold}>'
            f"{escape(words)}</text>"
        )

    def bar(self, x: float, y: float, width: float, height: float, fill: str, *, hint: str = "") -> None:
        """A rectangle; the hint is shown when somebody points at it."""
        title = f"<title>{escape(hint)}</title>" if hint else ""
        self._shapes.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{max(width, 0.0):.1f}" height="{height:.1f}" fill="{fill}">'
            f"{title}</rect>"
        )

    def line(self, x1: float, y1: float, x2: float, y2: float, stroke: str = GRID, *, width: float = 1.0) -> None:
        """A straight line."""
        self._shapes.append(
            f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{stroke}" '
            f'stroke-width="{width:g}"/>'
        )

    def legend(self, x: float, y: float, *entries: tuple[str, str]) -> None:
        """A square of each colour and what it stands for, in a row."""
        for fill, words in entries:
            self.bar(x, y - 10, 11, 11, fill)
            self.text(x + 16, y, words)
            x += 34 + 6.4 * len(words)

    def __str__(self) -> str:
        """The file."""
        width, height = self._size
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img" '
            f'aria-label={quoteattr(self._about)} font-family="system-ui, Segoe UI, Helvetica, Arial, sans-serif">\n'
            f'<rect width="{width:g}" height="{height:g}" fill="#ffffff" rx="6"/>\n'
            + "\n".join(self._shapes)
            + "\n</svg>\n"
        )
