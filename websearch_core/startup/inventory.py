"""What was assembled, as data and as text: for `websearch plugins`, and to say where queries go."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .assemble import Assembly


def describe(assembly: Assembly) -> dict[str, Any]:
    """Plugins, the chain in order, where queries go, and every exception that the operator made. Holds no secret."""
    registry, configuration = assembly.registry, assembly.configuration
    return {
        "configuration": configuration.source,
        "plugins": [
            {
                "name": plugin.name,
                "package": plugin.package,
                "version": plugin.version,
                "status": "disabled" if plugin.disabled else "on",
                "brings": [
                    {"kind": entry.kind, "name": entry.component.name}
                    for entry in registry.components
                    if entry.plugin == plugin
                ],
                "off": [{"kind": off.kind, "reason": off.reason} for off in registry.off if off.plugin == plugin],
                "origins": list(assembly.origins.get(plugin.name, ())),
            }
            for plugin in registry.plugins
        ],
        "chain": {
            "screen": [judge.name for judge in assembly.request_filters],
            "ask": [backend.name for backend in assembly.backends],
            "fetch": [fetcher.name for fetcher in assembly.fetchers],
            "extract": [extractor.name for extractor in assembly.extractors],
            "inspect": [
                {"name": judge.name, "skipped_when_trusted": judge.bypassable} for judge in assembly.document_filters
            ],
            "trust": [policy.name for policy in assembly.trust_policies],
            "strategy": configuration.chain.strategy,
            "routes": {vertical: [one.name for one in chosen] for vertical, chosen in assembly.routes.items()},
            "keyless": list(assembly.keyless),
            "require": list(configuration.chain.require),
            "floor": sorted(assembly.floor),
            "allowed_to_fail": sorted(k for k, v in configuration.chain.on_failure.items() if v == "allow"),
        },
        "exceptions": exceptions(assembly),
        "aliases": dict(configuration.aliases_used),
    }


def announced(assembly: Assembly) -> list[str]:
    """Where queries go, for the log at the start: a line, and one more where public services see them."""
    queries = _destinations(describe(assembly))[0] if assembly.origins else []
    lines = [f"queries go to: {'; '.join(queries) or 'no other machine'}"]
    if names := ", ".join(assembly.keyless):
        lines.append(f"asked without an account of yours: {names}; [chain] keyless = false stops it")
    return lines


def exceptions(assembly: Assembly) -> list[str]:
    """Each choice of the operator that makes the guard weaker or moves it elsewhere, in plain words."""
    net, server = assembly.configuration.net, assembly.configuration.server
    found = [f"private addresses that may be fetched: {entry}" for entry in net.private]
    if net.allow_downgrade:
        found.append("redirects from https to http are followed")
    if net.proxy_dns:
        found.append("names go to the proxy unresolved: the proxy must refuse private addresses")
    if server.insecure:
        found.append("listening beyond loopback without a token is allowed")
    if assembly.forgets_caps:
        found.append("the caps of [ledger.caps] begin anew at every start: [store] path is not set")
    return found


def requirements(assembly: Assembly) -> list[str]:
    """`package==version` for each installed plugin and the core: what reproduces this installation."""
    from importlib.metadata import version

    packages = {plugin.package: plugin.version for plugin in assembly.registry.plugins}
    packages["websearch-core[server]"] = version("websearch-core")
    return [f"{package}=={number}" for package, number in sorted(packages.items())]


def _destinations(described: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Plugin → origins, as lines: where queries go, in the order of asking, and where only addresses go.

    The second are plugins that bring nothing but fetchers: their origins see the addresses of their own pages.
    """
    chain = described["chain"]
    asked = [*chain["ask"], *(name for names in chain["routes"].values() for name in names)]
    queries: dict[str, int] = {}
    addresses: list[str] = []
    for plugin in described["plugins"]:
        line = f"{plugin['name']} → {', '.join(plugin['origins'])}"
        if plugin["origins"] and {item["kind"] for item in plugin["brings"]} == {"Fetcher"}:
            addresses.append(line)
        elif plugin["origins"]:
            places = (asked.index(item["name"]) for item in plugin["brings"] if item["name"] in asked)
            queries[line] = min(places, default=len(asked))
    return sorted(queries, key=queries.__getitem__), addresses


def as_text(described: dict[str, Any]) -> str:
    """The same for a terminal, in plain columns: no table library is loaded for a list."""
    rows = [("PLUGIN", "PACKAGE", "BRINGS")]
    for plugin in described["plugins"]:
        kinds: dict[str, list[str]] = {}
        for item in plugin["brings"]:
            kinds.setdefault(item["kind"], []).append(item["name"])
        brings = [f"{kind} {', '.join(names)}" for kind, names in kinds.items()]
        brings += [f"{item['kind']} off: {item['reason']}" for item in plugin["off"]]
        first, *others = brings or ["disabled" if plugin["status"] == "disabled" else "nothing"]
        rows += [(plugin["name"], f"{plugin['package']} {plugin['version']}", first)]
        rows += [("", "", line) for line in others]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    lines = [f"{name:<{widths[0]}}  {package:<{widths[1]}}  {line}" for name, package, line in rows]
    chain = described["chain"]
    inspect = [
        f"{judge['name']} (skipped when trusted by {', '.join(chain['trust'])})"
        if judge["skipped_when_trusted"] and chain["trust"]
        else judge["name"]
        for judge in chain["inspect"]
    ]
    lines += ["", f"screen   {', '.join(chain['screen']) or '-'}"]
    lines += [f"ask      {', '.join(chain['ask']) or '-'}  ({chain['strategy']})"]
    lines += [f"  {vertical:<6} {', '.join(names)}" for vertical, names in chain["routes"].items()]
    lines += [f"fetch    {', '.join(chain['fetch']) or '-'}"]
    lines += [f"extract  {', '.join(chain['extract']) or '-'}"]
    lines += [f"inspect  {', '.join(inspect) or '-'}", ""]
    queries, addresses = _destinations(described)
    lines += [f"queries go to: {'; '.join(queries) or 'nobody outside this machine'}"]
    if addresses:
        lines += [f"their own pages are asked of: {'; '.join(addresses)}"]
    if chain["keyless"]:
        lines += [f"asked without an account: {', '.join(chain['keyless'])} ([chain] keyless = false stops it)"]
    if chain["floor"]:
        lines += [f"no header weakens: {', '.join(chain['floor'])}"]
    if not chain["require"]:
        lines += ["warning: [chain] require is empty: the server starts even when a filter is missing"]
    lines += [f"warning: when {name} fails, its check is skipped" for name in chain["allowed_to_fail"]]
    lines += [f"exception: {line}" for line in described["exceptions"]]
    lines += [f"{variable} is used as {where}" for variable, where in described["aliases"].items()]
    return "\n".join(lines)


def lenses(assembly: Assembly) -> list[dict[str, Any]]:
    """Every lens, by name, whole, and the plugin that brought it."""
    return [
        {**lens.model_dump(mode="json"), "plugin": plugin.name}
        for lens in assembly.lenses
        if (plugin := assembly.registry.plugin_of(lens))
    ]


def lenses_as_text(rows: Sequence[dict[str, Any]]) -> str:
    """The same for a terminal: each lens's purpose, and its sites below."""
    from textwrap import fill

    if not rows:
        return "there is no lens; websearch-lenses brings some"
    width = max(len(row["name"]) for row in rows)
    lines: list[str] = []
    for row in rows:
        lines.append(f"{row['name']:<{width}}  {row['description']} (of plugin {row['plugin']})")
        indent = " " * (width + 2)
        if row["domains"]:
            sites = ", ".join(row["domains"])
            lines.append(fill(sites, 100, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False))
        if row["goggle"]:
            lines.append(f"{indent}goggle: {row['goggle']}")
    return "\n".join(lines)
