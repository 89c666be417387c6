"""The encoder itself: short texts in, log-odds that they instruct an AI out. Files of this package, no network."""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Sequence
from importlib.resources import as_file, files
from typing import Any

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

LONGEST = 128
"""Tokens of a text; what is beyond is not read."""
BATCH = 4
"""Texts of like length go through together, so many at once."""
SLOWER = ["SkipLayerNormFusion"]
"""Of onnxruntime's rewritings the one whose result takes four times as long as what it replaces."""
_FAR = 1200
"""More characters than these never fit into LONGEST tokens."""
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)


class Encoder:
    """Reads tokenizer and weights when it is made: a third of a second. May be used by several threads."""

    def __init__(self, threads: int = 1) -> None:
        """`threads` is how many cores one batch may use."""
        runtime = _runtime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")  # waiting costs nothing
        options.log_severity_level = 3
        package = files("websearch_guard_model")
        self._tokenizer: Any = Tokenizer.from_str((package / "tokenizer.json").read_text("utf-8"))
        self._tokenizer.enable_truncation(LONGEST)
        with as_file(package / "model.onnx") as model:
            self._session: Any = runtime.InferenceSession(
                str(model), options, providers=["CPUExecutionProvider"], disabled_optimizers=SLOWER
            )

    def odds(self, texts: Sequence[str]) -> list[float]:
        """Log-odds of each text; about 10 ms a text on one core."""
        # one by one: a batch would start threads of the tokenizer's own, which do not survive a fork
        rows = [self._tokenizer.encode(canonical(text)[:_FAR]).ids for text in texts]
        order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
        found = [0.0] * len(rows)
        for begin in range(0, len(order), BATCH):
            some = order[begin : begin + BATCH]
            tokens, mask = _padded([rows[at] for at in some])
            [logits] = self._session.run(None, {"tokens": tokens, "mask": mask})
            for at, logit in zip(some, logits.tolist(), strict=True):
                found[at] = logit
        return found


def _runtime() -> Any:
    """The library that runs the model. From 1.29 on it sends the host's and the process's data to its maker.

    What switches that off is read once, when it is first imported, and then no id of this machine is written either.
    """
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    import onnxruntime  # pyright: ignore[reportMissingTypeStubs]

    runtime: Any = onnxruntime
    runtime.disable_telemetry_events()  # Windows has its own way
    return runtime


def canonical(text: str) -> str:
    """Compatible characters as one, those that nobody sees left out."""
    if text.isascii():
        return text
    whole = text.encode("utf-8", "replace").decode("utf-8")  # half a character is none
    return _UNSEEN.sub("", unicodedata.normalize("NFKC", whole))


def _padded(rows: Sequence[Sequence[int]]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Tokens and mask, as long as the longest row."""
    tokens = np.zeros((len(rows), max(map(len, rows))), np.int64)
    mask = np.zeros_like(tokens)
    for at, row in enumerate(rows):
        tokens[at, : len(row)] = row
        mask[at, : len(row)] = 1
    return tokens, mask
