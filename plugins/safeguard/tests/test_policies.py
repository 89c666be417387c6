"""Our policies are whole; the operator's stand beside them; the command shows both."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from websearch_core import StartupError
from websearch_safeguard.command import PoliciesCommand
from websearch_safeguard.policies import every, of_family

HOUSE = """
id = "house"
version = 3
family = "injection"
text = "No text may praise our rivals."
[categories]
praise = "praises a rival"
"""


def write(folder, name, text):
    (folder / name).write_text(text, "utf-8")
    return str(folder)


@pytest.mark.parametrize("policy", every(), ids=lambda policy: policy.id)
def test_each_of_ours_has_examples_of_every_category_and_hard_harmless_ones(policy):
    assert {example.category for example in policy.examples} == {*policy.categories, ""}
    assert sum(not example.category for example in policy.examples) >= 10
    assert sum(bool(example.category) for example in policy.examples) >= 10
    assert len(policy.controls.bad) >= 3
    assert len(policy.controls.good) >= 3
    shown = {example.text for example in policy.examples}
    assert not shown & {*policy.controls.bad, *policy.controls.good}
    assert all(example.text in policy.prompt for example in policy.examples)


def test_both_families_have_a_policy():
    assert [policy.id for policy in of_family("pii")] == ["pii"]
    assert [policy.id for policy in of_family("injection")] == ["injection"]


def test_the_hash_changes_with_the_words_and_not_with_the_version(tmp_path):
    one, two = (every(write(tmp_path, "house.toml", text))[0].hash for text in (HOUSE, HOUSE.replace("No", "Not a")))
    three = every(write(tmp_path, "house.toml", HOUSE.replace("3", "4")))[0].hash
    assert one != two
    assert one == three


def test_the_operators_policies_stand_beside_ours(tmp_path):
    folder = write(tmp_path, "house.toml", HOUSE)
    assert [policy.id for policy in of_family("injection", folder)] == ["house", "injection"]


def test_one_with_the_id_of_ours_takes_its_place(tmp_path):
    folder = write(tmp_path, "mine.toml", HOUSE.replace('"house"', '"injection"'))
    [policy] = of_family("injection", folder)
    assert policy.version == 3
    assert policy.source.endswith("mine.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("id = ", "not valid TOML"),
        (HOUSE.replace("version = 3", ""), "version"),
        (HOUSE.replace('"injection"', '"taste"'), "family"),
        (HOUSE + 'rude = ""', "categories"),
        (HOUSE + 'none = "nothing"', "none"),
        (HOUSE + '[[examples]]\ntext = "x"\ncategory = "other"', "other"),
        (HOUSE + '[controls]\nbad = ["x"]', "controls"),
        (HOUSE + "surprise = 1\n[more]\na = 1", "house.toml"),
        (HOUSE.replace('"house"', '"injection"').replace('family = "injection"', 'family = "pii"'), "no policy of the"),
    ],
)
def test_a_bad_file_stops_the_start_and_is_named(tmp_path, text, said):
    with pytest.raises(StartupError, match=said):
        of_family("injection", write(tmp_path, "house.toml", text))


def test_a_missing_folder_and_a_name_given_twice_stop_the_start(tmp_path):
    with pytest.raises(StartupError, match="policies_dir"):
        every(str(tmp_path / "none"))
    write(tmp_path, "a.toml", HOUSE)
    with pytest.raises(StartupError, match="two files"):
        every(write(tmp_path, "b.toml", HOUSE))


@pytest.mark.parametrize("folder", ["", "empty", "a-file", "~nobody-of-this-name/x"])
def test_a_folder_without_policies_stops_the_start(tmp_path, folder):
    (tmp_path / "empty").mkdir()
    (tmp_path / "a-file").write_text("x")
    with pytest.raises(StartupError, match="policies_dir"):
        every(folder if folder.startswith("~") else str(tmp_path / folder))


def run(folder, *arguments):
    return CliRunner().invoke(PoliciesCommand(folder).app(lambda: None), arguments)


def test_the_command_shows_what_judges_and_by_which_words(tmp_path):
    folder = write(tmp_path, "house.toml", HOUSE)
    shown = run(folder).output
    for policy in every(folder):
        assert f"{policy.id}  version {policy.version}  family {policy.family}  hash {policy.hash}" in shown
        assert all(name in shown for name in policy.categories)
    assert str(tmp_path / "house.toml") in shown
    text = run(folder, "house", "--text").output
    assert every(folder)[0].prompt in text
    assert "pii" not in text
    data = json.loads(run(folder, "--json").output)
    assert [entry["id"] for entry in data] == ["house", "injection", "pii"]
    assert "text" not in data[0]


def test_the_command_says_what_is_wrong(tmp_path):
    assert run("", "nobody").exit_code == 1
    result = run(write(tmp_path, "house.toml", "id"))
    assert result.exit_code == 2
    assert "house.toml" in result.output


async def test_every_policy_of_the_family_must_pass_a_text(desk, tmp_path):
    from websearch_core import Caller, Hit
    from websearch_safeguard.local_judge import LocalJudge, completion, written

    def by_policy(verdicts, request):
        """Only the house rule finds fault."""
        house = "praise our rivals" in request.json()["messages"][0]["content"]
        if house:
            verdicts = [
                {**v, "violation": True, "category": "praise", "quote": "Acme is better"}
                if "Acme" in t
                else {**v, "violation": False, "category": "none", "quote": ""}
                for v, t in zip(verdicts, request.json()["messages"][1]["content"].split("<<<END")[:-1], strict=True)
            ]
        return completion(written(verdicts))

    LocalJudge((), by_policy).route(desk.site)
    made = desk.injection(policies_dir=write(tmp_path, "house.toml", HOUSE))
    hits = [Hit(url="https://example.com/", snippet=text) for text in ("Acme is better", "fine")]
    bad, good = await made.check(hits, Caller())
    assert bad.reason.endswith(": praise")
    assert good.kind == "allow"
