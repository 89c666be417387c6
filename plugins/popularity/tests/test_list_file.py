"""The file on disk: whole, fresh, of this bucket; or not believed."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from websearch_popularity.hashed_names import pack
from websearch_popularity.list_file import ListFile

SALT = b"salt-of-16-bytes"
DAY = 86_400.0
NOW = 1_800_000_000.0
SIZES = (1, 500, 5000)
PACKED = pack(["popular.example", "news.co.uk"], SALT)


@pytest.fixture
def copy(tmp_path: Path) -> ListFile:
    return ListFile(tmp_path / "not-yet-there", 500, 7 * DAY)


def test_what_was_written_is_read(copy: ListFile) -> None:
    assert copy.read(NOW) is None
    copy.write(PACKED, SALT, NOW)
    ranked = copy.read(NOW + DAY)
    assert ranked is not None
    assert ranked.fetched == NOW
    assert "popular.example" in ranked.names
    assert "other.example" not in ranked.names


@pytest.mark.parametrize(
    ("age", "believed"), [(-DAY, False), (-60, True), (0, True), (7 * DAY, True), (7 * DAY + 1, False)]
)
def test_a_copy_that_is_too_old_or_from_the_future_is_not_believed(copy: ListFile, age: float, believed: bool) -> None:
    copy.write(PACKED, SALT, NOW)
    assert (copy.read(NOW + age) is not None) is believed


@pytest.mark.parametrize("at", [0, 8, 30, 40, 60, -1])
def test_one_wrong_bit_anywhere_is_noticed(copy: ListFile, at: int) -> None:
    copy.write(PACKED, SALT, NOW)
    content = bytearray(copy.path.read_bytes())
    content[at] ^= 1
    copy.path.write_bytes(content)
    assert copy.read(NOW) is None


def test_a_cut_an_empty_and_a_strange_file_are_not_believed(copy: ListFile) -> None:
    copy.write(PACKED, SALT, NOW)
    whole = copy.path.read_bytes()
    for content in (*(whole[:length] for length in range(len(whole))), whole + b"12345678", os.urandom(4096)):
        copy.path.write_bytes(content)
        assert copy.read(NOW) is None


def test_a_copy_of_another_bucket_is_not_believed(copy: ListFile, tmp_path: Path) -> None:
    copy.write(PACKED, SALT, NOW)
    other = ListFile(tmp_path, 1_000_000, 7 * DAY)
    copy.path.rename(other.path)
    assert other.read(NOW) is None


def test_readers_see_whole_files_while_others_write(copy: ListFile) -> None:
    salts = [bytes([number] * 16) for number in range(1, 4)]
    packs = [
        pack([f"{number}.example" for number in range(size)], salt) for size, salt in zip(SIZES, salts, strict=True)
    ]
    copy.write(packs[0], salts[0], NOW)

    def write(number: int) -> None:
        copy.write(packs[number % 3], salts[number % 3], NOW + number)

    def read(_: int) -> bool:
        ranked = copy.read(NOW)
        return ranked is not None and len(ranked.names) in SIZES and "0.example" in ranked.names

    with ThreadPoolExecutor(4) as pool:
        writing = [pool.submit(write, number) for number in range(60)]
        assert all(pool.map(read, range(120)))
        for one in writing:
            one.result()
    assert [file.name for file in copy.path.parent.iterdir()] == [copy.path.name]


def test_a_failed_write_keeps_the_old_file_and_leaves_no_other(copy: ListFile, monkeypatch: pytest.MonkeyPatch) -> None:
    copy.write(PACKED, SALT, NOW)

    def full(_: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space"):
        copy.write(b"", SALT, NOW + 1)
    monkeypatch.undo()
    ranked = copy.read(NOW)
    assert ranked is not None
    assert ranked.fetched == NOW
    assert [file.name for file in copy.path.parent.iterdir()] == [copy.path.name]
