"""Hosts that count visitors and sell places for advertisements: a page's text never comes from there."""

from __future__ import annotations

_HOSTS = frozenset(
    (
        *("2mdn.net", "adform.net", "adnxs.com", "adroll.com", "adsafeprotected.com", "adsrvr.org", "adsymptotic.com"),
        *("amazon-adsystem.com", "amplitude.com", "app-measurement.com", "appsflyer.com", "bat.bing.com"),
        *("bluekai.com", "bounceexchange.com", "branch.io", "casalemedia.com", "chartbeat.com", "chartbeat.net"),
        *("clarity.ms", "connect.facebook.net", "crazyegg.com", "criteo.com", "criteo.net", "demdex.net"),
        *("doubleclick.net", "doubleverify.com", "everesttech.net", "fullstory.com", "google-analytics.com"),
        *("googleadservices.com", "googlesyndication.com", "googletagmanager.com", "googletagservices.com"),
        *("heap.io", "heapanalytics.com", "hotjar.com", "hotjar.io", "id5-sync.com", "imrworldwide.com"),
        *("krxd.net", "liadm.com", "matomo.cloud", "mc.yandex.ru", "media.net", "mixpanel.com", "moatads.com"),
        *("mouseflow.com", "newrelic.com", "nr-data.net", "omtrdc.net", "onetrust.io", "openx.net", "outbrain.com"),
        *("parsely.com", "permutive.com", "pubmatic.com", "quantserve.com", "rlcdn.com", "rubiconproject.com"),
        *("scorecardresearch.com", "segment.com", "segment.io", "sentry-cdn.com", "serving-sys.com", "sharethis.com"),
        *("smartadserver.com", "snap.licdn.com", "stats.wp.com", "taboola.com", "tapad.com", "tealiumiq.com"),
        *("the-ozone-project.com", "tiqcdn.com", "turn.com", "yieldmo.com", "zedo.com"),
    )
)


def is_tracker(host: str) -> bool:
    """Whether the host, or a domain that it belongs to, is known for nothing else."""
    labels = host.lower().rstrip(".").split(".")
    return any(".".join(labels[place:]) in _HOSTS for place in range(len(labels) - 1))
