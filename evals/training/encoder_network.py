"""The network of websearch-guard-model, and the published weights that it begins with."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional

SEEN = 4
"""A word that occurs less often than so is spelt out of smaller ones."""


class Encoder(nn.Module):
    """BERT as all-MiniLM-L6-v2 is one, the mean of its last states, and one number from that: log-odds."""

    def __init__(self, words: int, width: int = 384, inner: int = 1536, layers: int = 6) -> None:
        """Without weights; `read` has them."""
        super().__init__()
        self.words = nn.Embedding(words, width)
        self.places = nn.Embedding(512, width)
        self.kinds = nn.Embedding(2, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(width, inner) for _ in range(layers))
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(width, 1)

    def forward(self, tokens: Tensor, mask: Tensor) -> Tensor:
        """Log-odds of each row; `mask` is 1 for tokens and 0 for padding."""
        places = torch.arange(tokens.shape[1], device=tokens.device)
        states = self.norm(self.words(tokens) + self.places(places) + self.kinds.weight[0])
        known = mask.to(states.dtype)
        hidden = ((1 - known) * -1e4)[:, None, None, :]
        for layer in self.layers:
            states = layer(states, hidden)
        mean = (states * known[:, :, None]).sum(1) / known.sum(1, keepdim=True)
        return self.head(self.dropout(mean).to(self.head.weight.dtype))[:, 0]


class Layer(nn.Module):
    """Attention and a feed-forward net, each with its residual and norm."""

    def __init__(self, width: int, inner: int, heads: int = 12) -> None:
        """`heads` as the published model has them."""
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.joined = (nn.Linear(width, width) for _ in range(4))
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.inner, self.outer = nn.Linear(width, inner), nn.Linear(inner, width)
        self.last = nn.LayerNorm(width, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, states: Tensor, hidden: Tensor) -> Tensor:
        """`hidden` is added to the attention: very negative where nothing is to be seen."""
        rows, length, width = states.shape
        query, key, value = (
            part(states).view(rows, length, self.heads, width // self.heads).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        weights = torch.softmax(query @ key.transpose(2, 3) * (width // self.heads) ** -0.5 + hidden, -1)
        seen = (weights @ value).transpose(1, 2).reshape(rows, length, width)
        states = self.norm(states + self.dropout(self.joined(seen)))
        return self.last(states + self.dropout(self.outer(functional.gelu(self.inner(states)))))


_NAMES = {
    "embeddings.word_embeddings": "words",
    "embeddings.position_embeddings": "places",
    "embeddings.token_type_embeddings": "kinds",
    "embeddings.LayerNorm": "norm",
    "encoder.layer": "layers",
    "attention.self.query": "query",
    "attention.self.key": "key",
    "attention.self.value": "value",
    "attention.output.dense": "joined",
    "attention.output.LayerNorm": "norm",
    "intermediate.dense": "inner",
    "output.dense": "outer",
    "output.LayerNorm": "last",
}


def pruned(folder: Path, texts: Sequence[str], longest: int) -> tuple[Tokenizer, Encoder]:
    """The published model with the words that occur here and all characters; it reads `longest` tokens of a text."""
    stored = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    whole = Tokenizer.from_str(json.dumps(stored | {"truncation": None, "padding": None}))
    counts = np.zeros(whole.get_vocab_size(), np.int64)
    for encoding in whole.encode_batch(list(texts)):
        np.add.at(counts, encoding.ids, 1)
    vocabulary: dict[str, int] = stored["model"]["vocab"]
    kept = [
        (word, number)
        for word, number in sorted(vocabulary.items(), key=lambda item: item[1])
        if counts[number] >= SEEN or len(word.removeprefix("##")) == 1 or word in {"[PAD]", "[UNK]", "[CLS]", "[SEP]"}
    ]
    stored["model"]["vocab"] = new = {word: place for place, (word, _) in enumerate(kept)}
    stored["added_tokens"] = [
        token | {"id": new[token["content"]]} for token in stored["added_tokens"] if token["content"] in new
    ]
    for special in stored["post_processor"].get("special_tokens", {}).values():
        special["ids"] = [new[token] for token in special["tokens"]]
    for name in ("cls", "sep"):
        if name in stored["post_processor"]:
            stored["post_processor"][name][1] = new[stored["post_processor"][name][0]]
    stored |= {"truncation": None, "padding": None}
    tokenizer = Tokenizer.from_str(json.dumps(stored))
    tokenizer.enable_truncation(longest)
    model = Encoder(len(kept))
    weights = {_named(name): tensor for name, tensor in load_file(folder / "model.safetensors").items()}
    weights["words.weight"] = weights["words.weight"][[number for _, number in kept]]
    fresh = model.load_state_dict({name: weights[name] for name in weights if name in model.state_dict()}, strict=False)
    assert set(fresh.missing_keys) == {"head.weight", "head.bias"}, fresh
    return tokenizer, model


def _named(name: str) -> str:
    for old, new in _NAMES.items():
        name = name.replace(old, new)
    return name
