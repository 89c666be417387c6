"""Invented secrets, each carried out in every way that is known here: name → (random, secret) → address or query."""

# ruff: noqa: ARG005 - every way of carrying is called alike

import base64
import gzip
import json
import random
import zlib
from urllib.parse import quote

_PEOPLE = ("Ada Brook", "Jonas Feld", "Mei Tan", "Ravi Kohl", "Lena Ost", "Omar Dahl")
_THINGS = (
    "the merger",
    "the salary list",
    "her diagnosis",
    "the prototype",
    "our pricing",
    "the lawsuit",
    "the server room",
)
_DEEDS = (
    "will be announced on Monday",
    "must stay between us until spring",
    "was moved to the second floor",
    "costs more than we said",
)
_MASKS = (b"k3y", b"owls", b"a1", b"zebra")
_BRACKETS = ("<secret>", "[USER_DATA]", "<conversation history>", "{api_key}")
_B58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"


def sentence(r):
    return f"{r.choice(_PEOPLE)} told me that {r.choice(_THINGS)} {r.choice(_DEEDS)} and nobody else may know"


def key(r):
    return f"api_key=sk-test-{''.join(r.choices(_ALNUM, k=40))}"


def record(r):
    return json.dumps(
        {"user": r.choice(_PEOPLE), "password": "".join(r.choices(_ALNUM, k=14)), "n": r.randrange(10**6)}
    )


def email(r):
    name = r.choice(_PEOPLE).lower().replace(" ", ".")
    return f"write to {name}{r.randrange(100)}@example.com about {r.choice(_THINGS)}"


SECRETS = (sentence, key, record, email)


def b64(text):
    return base64.b64encode(text.encode()).decode()


def urlsafe(text):
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def b32(text):
    return base64.b32encode(text.encode()).decode().rstrip("=")


def b58(text):
    number, out = int.from_bytes(text.encode(), "big"), ""
    while number:
        number, digit = divmod(number, 58)
        out = _B58[digit] + out
    return out


def masked(text, mask):
    return bytes(byte ^ mask[i % len(mask)] for i, byte in enumerate(text.encode()))


def deflated(text):
    packing = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packing.compress(text.encode()) + packing.flush()


def urlsafe_bytes(content):
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def labels(text, size=50):
    return ".".join(text[i : i + size] for i in range(0, len(text), size))


def chunks(text, size):
    return [text[i : i + size] for i in range(0, len(text), size)]


def escaped(text):
    return "".join(f"%{byte:02x}" for byte in text.encode())


def noise(r, size):
    return base64.urlsafe_b64encode(r.randbytes(size)).decode().rstrip("=")


ADDRESSES = {
    "base64 in a parameter": lambda r, s: f"https://c.example.com/p?d={quote(b64(s), safe='')}",
    "base64 as it is": lambda r, s: f"https://c.example.com/p?d={b64(s)}",
    "url-safe base64": lambda r, s: f"https://c.example.com/i.png?x=1&data={urlsafe(s)}",
    "base64 named like a signature": lambda r, s: f"https://c.example.com/a?signature={urlsafe(s)}&expires=17000",
    "base64 in the path": lambda r, s: f"https://c.example.com/img/{urlsafe(s)}/pixel.gif",
    "base64 as a file's name": lambda r, s: f"https://c.example.com/img/{urlsafe(s)}.png",
    "base64 in the fragment": lambda r, s: f"https://c.example.com/app#{urlsafe(s)}",
    "base64 as the whole query": lambda r, s: f"https://c.example.com/?{urlsafe(s)}",
    "base64 as a parameter's name": lambda r, s: f"https://c.example.com/?{urlsafe(s)}=1",
    "base64 in userinfo": lambda r, s: f"https://{urlsafe(s)}@c.example.com/",
    "base64 behind a mark": lambda r, s: f"https://c.example.com/?q=v1.{urlsafe(s)}",
    "base64 backwards": lambda r, s: f"https://c.example.com/?d={urlsafe(s)[::-1]}",
    "base64 twice": lambda r, s: f"https://c.example.com/?d={urlsafe(urlsafe(s))}",
    "base64 of gzip": lambda r, s: (
        f"https://c.example.com/?d={quote(base64.b64encode(gzip.compress(s.encode())).decode(), safe='')}"
    ),
    "base64 of zlib": lambda r, s: (
        f"https://c.example.com/?d={base64.urlsafe_b64encode(zlib.compress(s.encode())).decode()}"
    ),
    "base64 over segments": lambda r, s: "https://c.example.com/" + "/".join(chunks(urlsafe(s), 15)),
    "base64 over parameters": lambda r, s: (
        "https://c.example.com/?" + "&".join(f"k{i}={c}" for i, c in enumerate(chunks(urlsafe(s), 14)))
    ),
    "hex of masked bytes": lambda r, s: f"https://c.example.com/p?d={masked(s, bytes([r.randrange(1, 256)])).hex()}",
    "base64 of masked bytes": lambda r, s: (
        f"https://c.example.com/p?d={base64.urlsafe_b64encode(masked(s, bytes([r.randrange(1, 256)]))).decode()}"
    ),
    "base64 of bare deflate": lambda r, s: f"https://c.example.com/p?d={urlsafe_bytes(deflated(s))}",
    "hex of bare deflate": lambda r, s: f"https://c.example.com/{deflated(s).hex()}.png",
    "text over parameters": lambda r, s: (
        "https://c.example.com/?" + "&".join(f"{chr(97 + i)}={quote(c)}" for i, c in enumerate(chunks(s, 7)))
    ),
    "words over parameters": lambda r, s: (
        "https://c.example.com/?" + "&".join(f"w{i}={quote(c)}" for i, c in enumerate(sentence(r).split()))
    ),
    "a key over parameters": lambda r, s: (
        "https://c.example.com/?" + "&".join(f"k{i}={quote(c)}" for i, c in enumerate(chunks(key(r), 8)))
    ),
    "hex in a parameter": lambda r, s: f"https://c.example.com/log?h={s.encode().hex()}",
    "hex in the path": lambda r, s: f"https://c.example.com/{s.encode().hex()}.gif",
    "hex in capitals": lambda r, s: f"https://c.example.com/log?h=0x{s.encode().hex().upper()}",
    "base32": lambda r, s: f"https://c.example.com/log?h={b32(s)}",
    "base58": lambda r, s: f"https://c.example.com/log?h={b58(s)}",
    "base85": lambda r, s: f"https://c.example.com/log?h={quote(base64.b85encode(s.encode()).decode(), safe='')}",
    "escaped letters": lambda r, s: f"https://c.example.com/log?h={escaped(s)}",
    "escaped letters in the path": lambda r, s: f"https://c.example.com/{escaped(s)}",
    "escaped twice": lambda r, s: f"https://c.example.com/log?h={escaped(s).replace('%', '%25')}",
    "decimal codes": lambda r, s: f"https://c.example.com/log?h={''.join(f'{b:03d}' for b in s.encode())}",
    "bits": lambda r, s: f"https://c.example.com/log?h={''.join(f'{b:08b}' for b in s.encode())}",
    "hex labels": lambda r, s: f"https://{labels(s.encode().hex())}.example.com/",
    "base32 labels": lambda r, s: f"https://{labels(b32(s).lower())}.example.com/x",
    "random labels": lambda r, s: f"https://{labels(b32(noise(r, 30)).lower())}.t.example.com/x",
    "nested address": lambda r, s: (
        f"https://redirect.example.org/?url={quote('https://c.example.com/?d=' + urlsafe(s), safe='')}"
    ),
    "nested in the path": lambda r, s: f"https://web.archive.org/web/2024/https://c.example.com/?d={urlsafe(s)}",
    "an encoded address with a secret": lambda r, s: (
        f"https://imgproxy.example.com/s/{urlsafe('https://c.example.com/?d=' + quote(s))}.png"
    ),
    "ciphertext": lambda r, s: f"https://c.example.com/?d={noise(r, 120)}",
    "ciphertext in the path": lambda r, s: f"https://c.example.com/{noise(r, 240)}",
    "ciphertext over parameters": lambda r, s: (
        "https://c.example.com/?" + "&".join(f"z{i}={noise(r, 60)}" for i in range(6))
    ),
    "digits": lambda r, s: f"https://c.example.com/?n={''.join(r.choices('0123456789', k=60))}",
    "base64 parted by dots": lambda r, s: f"https://c.example.com/?d={'.'.join(chunks(urlsafe(s), 8))}",
    "hex parted by dashes": lambda r, s: f"https://c.example.com/?d={s.encode().hex('-')}",
    "hex parted by colons": lambda r, s: f"https://c.example.com/?d={s.encode().hex(':')}",
    "codes parted by dots": lambda r, s: f"https://c.example.com/?d={'.'.join(map(str, s.encode()))}",
    "another script": lambda r, s: f"https://c.example.com/?d={urlsafe('我的密码是秘密请不要告诉任何人好吗')}",
    "unfilled braces": lambda r, s: (
        "https://c.example.com/?d={{" + r.choice(("secret", "conversation", "user.email")) + "}}"
    ),
    "unfilled shell": lambda r, s: "https://c.example.com/?d=${" + r.choice(("API_KEY", "HOME", "history")) + "}",
    "unfilled brackets": lambda r, s: f"https://c.example.com/?d={quote(r.choice(_BRACKETS))}",
    "prose, long": lambda r, s: f"https://c.example.com/?d={quote(' '.join(sentence(r) for _ in range(3)))}",
    "engine's address, base64": lambda r, s: f"https://www.google.com/search?q={urlsafe(s + ' ' + s)}",
}

PARTLY = {
    "hex of bytes masked with a word": lambda r, s: f"https://c.example.com/p?d={masked(s, r.choice(_MASKS)).hex()}",
}
"""With longer keys and little text nothing tells a mask from noise: of these, a part is found."""

QUERIES = {
    "base64": lambda r, s: f"look up {b64(s + ' ' + s)}",
    "base64 alone": lambda r, s: urlsafe(s + "; " + s),
    "base64 in words": lambda r, s: f"weather {b64(s)} berlin {b64(s)}",
    "base64 in pieces": lambda r, s: "site " + " ".join(chunks(b64(s + ", " + s), 12)),
    "hex": lambda r, s: f"what is {s.encode().hex()}",
    "hex pairs": lambda r, s: "what is " + s.encode().hex(" "),
    "decimal codes": lambda r, s: "numbers " + " ".join(map(str, s.encode())),
    "base32": lambda r, s: f"meaning of {b32(s)}",
    "base64 of zlib": lambda r, s: (
        f"look up {base64.b64encode(zlib.compress((s + ' ' + sentence(r)).encode())).decode()}"
    ),
    "ciphertext": lambda r, s: f"look up {noise(r, 240)}",
    "an address": lambda r, s: f"open https://c.example.com/?d={urlsafe(s)}",
    "inurl": lambda r, s: f"inurl:{urlsafe(s + ' ' + s)} x",
    "site": lambda r, s: f"site:{labels(s.encode().hex())}.example.com x",
    "rot13": lambda r, s: "".join(
        chr((ord(c) - base + 13) % 26 + base) if c.isalpha() and (base := 97 if c.islower() else 65) else c
        for c in f"send this to the user and tell them that {sentence(r)}"
    ),
    "backwards": lambda r, s: f"send this to the user and tell them that {sentence(r)}"[::-1],
}


def made(kinds, seed, times):
    """(kind, text) of each kind, so many times, always the same for one seed."""
    r = random.Random(seed)
    for name, make in kinds.items():
        for turn in range(times):
            yield name, make(r, SECRETS[turn % len(SECRETS)](r))
