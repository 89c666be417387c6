"""Markdown as sentences: excerpts are read by people and models, not rendered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from websearch_core.kit.plain_text import excerpt, prose

PAGE = """## Owls

They *hunt* by [ear](https://a.example/).
And at night.

| sort | size |
| --- | --- |
| barn | 35 cm |

```py
owl = 1
```

- one
- **two**
  ```sh
  run
  ```

> It is said.
"""


def test_the_sentences_of_a_page_are_on_one_line_without_what_is_none() -> None:
    assert prose(PAGE) == "They hunt by ear. And at night. one; two It is said."


def test_cells_are_words_where_they_are_wanted_or_nothing_else_is_there() -> None:
    assert prose(PAGE, cells=True).startswith("Owls They hunt by ear. And at night. sort, size; barn, 35 cm one;")
    assert prose("| a | b |\n|---|---|\n| c | d |") == "a, b; c, d"
    assert prose("# Owls") == "Owls"


def test_code_is_there_only_where_nothing_else_is_and_in_lines() -> None:
    assert prose("```py\nx = 1\n\n# says y\n    y = 2\n```\n\n```\nz\n```") == "x = 1\n    y = 2\nz"
    assert prose("x = 1\ny = 2\n```\n") == "x = 1\ny = 2"
    assert prose("# Owls\n\n```py\nx = 1\n```", cells=True) == "Owls"


def test_a_piece_that_ends_within_code_keeps_what_is_before() -> None:
    assert prose("Owls hunt.\n\n```\nx = 1") == "Owls hunt."


def test_a_piece_that_begins_within_code_keeps_what_follows() -> None:
    assert prose("x = 1\n```\n\nOwls hunt.\n\n```py\ny\n```") == "Owls hunt."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Owls hunt. They are quiet | Birds | Ann's blog", "Owls hunt. They are quiet | Birds | Ann's blog"),
        ("C# is a language -- not # 1, a---b", "C# is a language -- not # 1, a---b"),
        ("Owls ## Food They eat mice. ```py x = 1", "Owls Food They eat mice. x = 1"),
        ("Sizes | sort | size | | --- | --- | | barn | 35 |", "Sizes | sort | size | | barn | 35 |"),
        ("## Owls | sort | | --- | | barn | ```py x = 1 ``` They hunt.", "Owls | sort | | barn | x = 1 They hunt."),
        ("## Owls\nThey hunt.\n| a | b |\n| --- | --- |\n| c | d |", "They hunt."),
        ("", ""),
    ],
)
def test_an_engines_excerpt_is_sentences(text: str, left: str) -> None:
    assert " ".join(excerpt(text).split()) == left


@given(st.text(alphabet=st.sampled_from("ab #|`-~>\n*[]().")))
def test_no_text_fails_and_nothing_is_made_up(text: str) -> None:
    for made in (prose(text), prose(text, cells=True), excerpt(text)):
        assert set(made) <= set(text) | set(" ;,\n")
