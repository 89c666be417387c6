"""The abstract classes whose instances plugins hand over; the core runs their async methods itself."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, TypeVarTuple, Unpack

from .errors import BackendError, Code
from .models import Caller, Document, Download, FetchRequest, Hit, Outgoing, Page, SearchRequest
from .results import Answer, Event
from .verdicts import Verdict

D = TypeVar("D", bound=Document)
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Component(ABC):
    """What every plugin's object has. Construct it cheaply; `start` opens what it needs, `warm` loads what can wait."""

    name: str
    """A slug (`[a-z0-9][a-z0-9-]*`), unique among all components of its kind: what operators write."""
    priority: int = 50
    """Lower comes first, where the operator's list does not say; ties go by name."""

    async def start(self) -> None:
        """Called once before the first request; an exception here stops the start."""

    def warm(self) -> None:
        """Called once, in a thread, when a server has begun to answer: load what the first request would load itself.

        Filters are loaded first, and judge nothing before all of them have returned from it: a filter that raises
        here ends the server. Of another component that is only logged. It may never be called, as by a command that
        asks once, so nothing may depend on it; nor does a stop wait long for it before `aclose` is called.
        """

    def warm_later(self) -> None:
        """Like `warm`, but after the server is ready: load what only some requests need.

        A failure is only logged, a filter's too: what is missing is loaded where it is used, or fails there.
        """

    async def aclose(self) -> None:
        """Called once at the end; releases what `start` took."""


class _OldName:
    """An attribute of 0.1 that has another name today: it works until 0.2, and warns."""

    def __init__(self, new: str) -> None:
        self.new = new

    def __set_name__(self, owner: type, name: str) -> None:
        self.old = name

    def __get__(self, instance: object, owner: type) -> Any:
        self.warn(owner)
        return getattr(instance or owner, self.new)

    def __set__(self, instance: object, value: Any) -> None:
        self.warn(type(instance))
        setattr(instance, self.new, value)

    def warn(self, owner: type, stacklevel: int = 3) -> None:
        """Name the class and the new name, at the line that uses the old one."""
        told = f"{owner.__qualname__}.{self.old} goes with 0.2: name it {self.new}"
        warnings.warn(told, DeprecationWarning, stacklevel)


class SearchBackend(Component):
    """Answers a `SearchRequest` with hits."""

    verticals: Mapping[str, frozenset[str]] = {"web": frozenset()}
    """Per vertical that it serves, the request fields that it pushes down to the engine. What it does not push down
    the core emulates (domains, dates, counts, text length) or lists in the answer's notes."""
    max_results: int = 50
    """The most results that the engine gives for one request."""
    max_query_chars: int | None = None
    """A longer query goes to the next backend; it is never cut."""
    index_owner: str = ""
    """Whose index it sells, when that is not its own: two backends with the same owner are not fused."""
    paid: bool = False
    """Whether a call costs money."""
    unit: str = "request"
    """What the engine counts and `Answer.units` is in (`credit`, `request`)."""
    keyless: bool = False
    """True: a public service that is asked without an account of the operator's: it sees queries, and
    `[chain] keyless = false` switches it off."""
    is_corpus: bool = False
    """True: it searches its own collection and not the web (the local library). That it found nothing is no answer when
    the other backends failed."""
    max_site_operators: int = 0
    """How many `site:` terms one query takes (joined by OR, or each with a minus). Where the engine has no domain
    filter of its own, the core writes domains into the query with these, splitting it in several where needed."""
    max_query_words: int | None = None
    """A query of more words goes to the next backend; it is never cut."""

    @property
    def always_merged(self) -> bool:
        """True: its hits are merged into every answer of the others, whatever the strategy (the local library)."""
        return False

    @property
    def alone(self) -> bool:
        """True: it is asked only by name, or where no other backend is configured (a library that is still empty)."""
        return False

    @property
    def revision(self) -> str:
        """Changes whenever what it holds changes: an answer that was kept under another revision is not used."""
        return ""

    def units_for(self, request: SearchRequest) -> float:
        """How many units (`unit`) this request may take at most, where it walks pages or prices differ; cheap, no I/O.

        So much is held back from the operator's caps until the answer says what it did take.
        """
        return 1.0

    @abstractmethod
    async def search(self, request: SearchRequest) -> Answer | Sequence[Hit]:
        """At most `request.max_results` hits, best first. Raises `BackendError`; a genuine nothing is empty."""

    ceiling = _OldName("max_results")
    joins = _OldName("always_merged")
    lineage = _OldName("index_owner")
    narrow = _OldName("is_corpus")
    sites = _OldName("max_site_operators")

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Let a class that still declares a name of 0.1 work until 0.2, with a warning."""
        super().__init_subclass__(**arguments)
        for name in vars(SearchBackend).values():
            if not isinstance(name, _OldName):
                continue
            declared = next(vars(base)[name.old] for base in cls.__mro__ if name.old in vars(base))
            if declared is not name:
                name.warn(cls, stacklevel=4)
                setattr(cls, name.new, declared)
                setattr(cls, name.old, name)


class Fetcher(Component):
    """Turns an address into a `Download`, or straight into a `Page`."""

    remote: bool = False
    """True: somebody else's machine reads the page (Exa, Tavily), so addresses go to them."""
    paid: bool = False
    """Whether a call costs money."""
    unit: str = "request"
    """What the service counts and `Page.units` is in."""
    keyless: bool = False
    """True: a public service that is asked without an account of the operator's; see `SearchBackend.keyless`."""
    stored: bool = False
    """True: it serves copies that it holds, asking nobody: it is asked even for `max_age_hours = -1`, and what it
    serves is not cached again."""
    renders: bool = False
    """True: it runs a page's scripts. Asked for `render = "always"` and screenshots, and not for `render = "never"`."""
    mends: frozenset[Code] = frozenset()
    """Not empty: it is asked after all others, and only where one of them failed with such a code (a browser:
    `needs_rendering`)."""

    def can_fetch(self, request: FetchRequest) -> bool:
        """Whether this fetcher wants this request; cheap, no I/O. One that makes pages itself declines `raw`."""
        return True

    def sends(self, request: FetchRequest) -> Mapping[str, str]:
        """The headers that this request goes out with, names in lower case; cheap, no I/O.

        A kept page whose site chose it by some of them (`Vary`) is not used for a request that has others.
        """
        return {}

    @abstractmethod
    async def fetch(self, request: FetchRequest) -> Download | Page:
        """The document. Raises `BackendError`."""


class Extractor(Component):
    """Turns a `Download` of its media types into a `Page` of Markdown."""

    media_types: frozenset[str]
    """Exact types (`text/html`), families (`text/*`) or all (`*/*`), lower case."""
    raw: bool = False
    """True: it gives the document's text as it stands, and is asked only by who wants that."""

    @abstractmethod
    async def extract(self, download: Download) -> Page:
        """The page. Raises `BackendError` (`Unsupported`, `NeedsRendering`…); an empty body: no text."""


class RequestFilter(Component):
    """Judges what leaves this machine. Fails closed: an error, a timeout or no verdict means Block."""

    family: str = ""
    """`pii` and `injection` can be switched by a request header, down to the operator's floor; others cannot."""

    @abstractmethod
    async def check(self, request: Outgoing) -> Verdict:
        """Judge `request.text` or `request.parts`; a later filter sees the text as this one left it."""


class DocumentFilter(Component):
    """Judges what a model will read. Fails closed: the documents that it had to judge are dropped."""

    family: str = ""
    bypassable: bool = False
    """True: documents that a trust policy trusts are not shown to this filter."""

    @abstractmethod
    async def check(self, documents: Sequence[Document], caller: Caller) -> Sequence[Verdict | BackendError | None]:
        """One verdict for each document, in order; None: could not judge this one, which is dropped alone.

        In place of None the failure of what the filter asks: callers are told whether a retry helps.
        """


class TrustPolicy(Component):
    """Says which documents may skip *bypassable* document filters."""

    @abstractmethod
    async def trusts(self, document: Document) -> bool:
        """Only True means trusted; an error or a timeout means not."""


class Store(Component):
    """Key-value state with expiry, shared by all who use the store. A plugin sees it with a prefix of its own.

    Where space is short, what `set` wrote goes first, the least recently used before the rest. What `add_if_absent`,
    `incr` and `compare_and_set` wrote is state (counters, locks), which no amount of kept answers pushes out: it goes
    only for other state, the first to expire before the rest.
    """

    waits: bool = True
    """Whether operations may wait. False for a store in memory: its operations get no time limit."""

    @abstractmethod
    async def get(self, key: str) -> bytes | None:
        """The value, or None when there is none or it has expired."""

    @abstractmethod
    async def set(self, key: str, value: bytes, ttl: float | None = None) -> None:
        """Set; `ttl` in seconds, None: until evicted. It may be evicted before its time is over."""

    async def add_if_absent(self, key: str, value: bytes, ttl: float | None = None) -> bool:
        """Set unless there is a value; whether this call set it. Atomic."""
        return await self.compare_and_set(key, None, value, ttl)

    @abstractmethod
    async def incr(self, key: str, amount: int = 1, ttl: float | None = None) -> int:
        """Add to a counter that starts at 0 and return it. `ttl` counts from the counter's first change. Atomic."""

    @abstractmethod
    async def compare_and_set(self, key: str, expected: bytes | None, value: bytes, ttl: float | None = None) -> bool:
        """Set only if the value is `expected` (None: only if there is none); whether this call set it. Atomic."""

    @abstractmethod
    async def delete(self, key: str) -> None:
        """Forget; no error when there is none."""


class Observer(Component):
    """Is told what happened (metrics, audit, usage reports); can change nothing."""

    @abstractmethod
    async def observe(self, event: Event) -> None:
        """Called after the fact; an error is logged and changes nothing."""


class TokenVerifier(Component):
    """Says who a bearer token belongs to."""

    @abstractmethod
    async def verify(self, token: str) -> Caller | None:
        """The caller (its `tenant` set), or None: not known, ask the next verifier."""


class Clock(Protocol):
    """Time, injected: tests turn it by hand."""

    def now(self) -> float:
        """Seconds since the epoch."""
        ...

    def monotonic(self) -> float:
        """Seconds that never run backwards; deadlines are on this clock."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class Workers(Protocol):
    """A pool of processes for work that would hold the event loop over 20 ms."""

    async def run(
        self,
        function: Callable[[Unpack[Ts]], T],
        *args: *Ts,
        seconds: float = 30.0,
        cpu_seconds: float | None = None,
        memory_bytes: int | None = None,
    ) -> T:
        """Call an importable function in a process with a memory limit, killed at the deadline.

        `cpu_seconds` limits the time that it computes: a busy machine does not use that up, as it does `seconds`.
        `memory_bytes` is a lower limit for this call, on what the process may hold at once. Arguments and result are
        pickled. Raises `TimedOut`, `TooLarge` (out of memory), `ServerFailed` (the process died), or the `BackendError`
        that the function raised.
        """
        ...
