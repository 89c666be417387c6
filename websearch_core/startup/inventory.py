"""What was assembled, as data: for `websearch plugins`, and for whoever asks where queries go."""

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
    places = _queries(describe(assembly)) if assembly.origins else []
    lines = [f"queries go to: {'; '.join(places) or 'no other machine'}"]
    if assembly.keyless:
        lines.append(
            f"asked without an account of yours: {', '.join(assembly.keyless)}; [chain] keyless = false stops it"
        )
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


def _queries(described: Mapping[str, Any]) -> list[str]:
    """Plugin → where its queries go: those that are asked, in that order, then others."""
    plugins: Sequence[Mapping[str, Any]] = described["plugins"]
    chain = described["chain"]
    asked = [*chain["ask"], *(name for names in chain["routes"].values() for name in names)]
    rank = {name: place for place, name in reversed([*enumerate(asked)])}
    places = {
        plugin["name"]: min((rank.get(item["name"], len(asked)) for item in plugin["brings"]), default=len(asked))
        for plugin in plugins
        if plugin["origins"]
    }
    origins = {plugin["name"]: ", ".join(plugin["origins"]) for plugin in plugins}
    readers = _readers(plugins)
    return [f"{name} → {origins[name]}" for name in sorted(places, key=places.__getitem__) if name not in readers]


def _readers(plugins: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Plugins that bring fetchers and nothing else: no query goes there, only the addresses of their own pages."""
    return frozenset(
        plugin["name"]
        for plugin in plugins
        if plugin["brings"] and all(item["kind"] == "Fetcher" for item in plugin["brings"])
    )


def as_text(described: dict[str, Any]) -> str:
    """The same for a terminal, in plain columns: no table library is loaded for a list."""
    rows = [("PLUGIN", "PACKAGE", "BRINGS")]
    for plugin in described["plugins"]:
        package = f"{plugin['package']} {plugin['version']}"
        kinds: dict[str, list[str]] = {}
        for item in plugin["brings"]:
            kinds.setdefault(item["kind"], []).append(item["name"])
        brings = [f"{kind} {', '.join(names)}" for kind, names in kinds.items()]
        brings += [f"{item['kind']} off: {item['reason']}" for item in plugin["off"]]
        if plugin["status"] == "disabled":
            brings = ["disabled"]
        for position, line in enumerate(brings or ["nothing"]):
            rows.append((plugin["name"], package, line) if position == 0 else ("", "", line))
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
    readers = _readers(described["plugins"])
    goes = {plugin["name"]: ", ".join(plugin["origins"]) for plugin in described["plugins"] if plugin["origins"]}
    lines += [f"queries go to: {'; '.join(_queries(described)) or 'nobody outside this machine'}"]
    if reading := [f"{name} → {origins}" for name, origins in goes.items() if name in readers]:
        lines += [f"their own pages are asked of: {'; '.join(reading)}"]
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
        {
            "name": lens.name,
            "description": lens.description,
            "domains": list(lens.domains),
            "goggle": lens.goggle,
            "plugin": assembly.registry.plugin_of(lens).name,
        }
        for lens in assembly.lenses
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
