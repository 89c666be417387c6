"""The contract classes catch what they promise to catch, for the right reason; good components pass them all."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from websearch_core.testing import ToolContract

pytest_plugins = ["pytester"]
HERE = Path(__file__).parent

ONLY_WHAT_BITES = """
def pytest_collection_modifyitems(items):
    items[:] = [
        item
        for item in items
        if not item.cls.fails or {item.name, item.name.partition("[")[0]} & set(item.cls.fails)
    ]
"""


@pytest.mark.parametrize("module", ["bad_components", "bad_backends", "bad_site_readers"])
def test_each_bad_component_fails_for_the_right_reason(pytester: pytest.Pytester, module: str) -> None:
    source = (HERE / f"{module}.py").read_text(encoding="utf-8")
    pytester.makeconftest(ONLY_WHAT_BITES)
    pytester.makepyfile(**{f"test_{module}": source})
    # a process of its own: pytester's in-process runs unload modules that later tests have classes of
    pytester.runpytest_subprocess("-p", "no:cacheprovider", "-W", "error", "--tb=native", "--junitxml=report.xml")
    passed = 0
    texts: dict[tuple[str, str], list[str]] = {}
    for case in ET.parse(pytester.path / "report.xml").iter("testcase"):
        assert case.find("error") is None, f"{case.get('classname')}: {case.findtext('error')}"
        failure = case.findtext("failure")
        passed += failure is None
        cls, test = str(case.get("classname")).rpartition(".")[2], str(case.get("name"))
        for name in {test, test.partition("[")[0]} if failure is not None else ():
            texts.setdefault((cls, name), []).append(failure)
    expected = _declared(source)
    missed = [f"{cls}.{test}" for cls, test in expected if (cls, test) not in texts]
    assert not missed, f"not caught: {missed}"
    surprising = [key for key in texts if key[0] not in {cls for cls, _ in expected}]
    assert not surprising, f"good components fail: {[(key, texts[key][0][-800:]) for key in surprising]}"
    for key, words in expected.items():
        assert any(words in text for text in texts[key]), f"{key}: {words!r} is not in {texts[key]}"
    assert passed > 60, "the good components run every test"


def _declared(source: str) -> dict[tuple[str, str], str]:
    namespace: dict[str, object] = {"__name__": "declared"}
    exec(compile(source, "declared", "exec"), namespace)
    contracts = {name: cls for name, cls in namespace.items() if name.startswith("Test") and hasattr(cls, "fails")}
    return {(name, test): words for name, cls in contracts.items() for test, words in cls.fails.items()}


GAPS = {
    "StoreContract": ("component = object", "store"),
    "ExtractorContract": ("good = b''\n    extractor = None", "component, expected, media_type"),
    "FetcherContract": ("component = object", "fetcher, good_answer"),
}


def test_a_contract_with_gaps_is_an_error_that_names_them(pytester: pytest.Pytester) -> None:
    for contract, (filled, _) in GAPS.items():
        source = f"from websearch_core.testing import {contract}\nclass Test{contract}({contract}):\n    {filled}\n"
        pytester.makepyfile(**{f"test_{contract}": source})
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider", *(f"test_{contract}.py" for contract in GAPS))
    assert result.ret != 0
    result.stdout.fnmatch_lines_random(
        [f"*Test{contract} does not fill in: {gaps}; *" for contract, (_, gaps) in GAPS.items()]
    )


@pytest.mark.parametrize("name", ["good", "bad"])
def test_a_tools_sample_that_is_no_list_is_told_so(name: str) -> None:
    with pytest.raises(TypeError, match=rf"TestMine\.{name} must be a list of arguments"):
        type("TestMine", (ToolContract,), {name: {"topic": "tea"}})
