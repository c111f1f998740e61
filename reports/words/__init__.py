"""What the report says, in English and in French."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from simcore.errors import UsageError, nearest

if TYPE_CHECKING:
    from analysis.results import Inputs, Verdict

LANGUAGES = ("en", "fr")

_FRENCH = str.maketrans({",": "\u202f", ".": ",", "%": "\u202f%", "-": "\u2212"})
_ENGLISH = str.maketrans({"-": "\u2212"})


class _Number(float):
    """A number that is written the way of a language."""

    signs: dict[int, str]

    def __new__(cls, value: float, signs: dict[int, str]) -> _Number:
        made = super().__new__(cls, value)
        made.signs = signs
        return made

    def __format__(self, form: str) -> str:
        if form.endswith("pp"):  # percentage points
            return format(100 * float(self), f"{form[:-2]}f").translate(self.signs)
        if self.is_integer() and form in ("", ",", "d", "+d", "+,"):
            return format(int(self), form).translate(self.signs)
        return format(float(self), form or ",.4g").translate(self.signs)


@dataclass(frozen=True)
class Words:
    """The phrases of a language.

    Parameters
    ----------
    lang
        "en" or "fr".
    titles
        What the game calls its things, by key.
    """

    lang: str = "en"
    titles: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.lang not in LANGUAGES:
            raise UsageError(f"--lang: no language '{self.lang}'{nearest(self.lang, LANGUAGES)}")
        object.__setattr__(self, "titles", MappingProxyType(dict(self.titles)))

    @cached_property
    def _catalogue(self) -> Any:
        return import_module(f"reports.words.{self.lang}")

    @cached_property
    def _notes(self) -> list[tuple[re.Pattern[str], str]]:
        return [(re.compile(pattern), phrase) for pattern, phrase in self._catalogue.NOTES]

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return a phrase with its values."""
        phrase: str = self._catalogue.PHRASES[key]
        return phrase.format(**{name: self.local(value) for name, value in values.items()}) if values else phrase

    def has(self, key: str) -> bool:
        """Return whether there is such a phrase."""
        return key in self._catalogue.PHRASES

    def of_game(self, game: str) -> Words:
        """Return the same words, with those of a game's tables."""
        name = f"reports.words.games.{game.replace('-', '_')}"
        try:
            return self.naming(import_module(name).NAMES[self.lang])
        except ModuleNotFoundError as error:
            if error.name != name:
                raise
            return self

    def naming(self, titles: Mapping[str, str]) -> Words:
        """Return the same words, which also know what a game calls its things."""
        return replace(self, titles={**self.titles, **titles})

    def title(self, key: str) -> str:
        """Return what the game calls something; the key itself if it has no name."""
        return self.titles.get(key, key)

    def local(self, value: Any) -> Any:
        """Return a value that formats itself in the language's way."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value
        return _Number(value, _FRENCH if self.lang == "fr" else _ENGLISH)

    def number(self, value: float, form: str = ",.2f") -> str:
        """Write a number, in the notation of `format`."""
        return format(self.local(value), form)

    def listed(self, items: Sequence[str]) -> str:
        """Join some things with commas."""
        return ", ".join(items)

    def denominator(self, inputs: Inputs) -> str:
        """Return `Inputs.denominator` in the language."""
        text = self("denominator", deals=inputs.deals, games=inputs.games)
        if inputs.deals == inputs.games:
            text = self("denominator.games", games=inputs.games)
        if inputs.excluded:
            text += self("denominator.excluded", excluded=inputs.excluded)
        if not inputs.whole:
            text += self("denominator.short", planned=inputs.planned)
        return text

    def verdict(self, verdict: Verdict, inputs: Sequence[Inputs] = ()) -> str:
        """Return a verdict's sentence."""
        counted = {item.denominator: self.denominator(item) for item in inputs}
        phrases: Mapping[str, str] = self._catalogue.VERDICTS
        values = {name: self._said(value, counted) for name, value in verdict.values.items()}
        template = phrases.get(verdict.code, verdict.template)
        return template.format(**values)

    def _said(self, value: Any, counted: Mapping[str, str]) -> Any:
        if not isinstance(value, str):
            return self.local(value)
        found = counted.get(value) or self.titles.get(value)
        return found or self._catalogue.NAMES.get(value, value)

    def name(self, key: str) -> str:
        """Return a key of the analyses in plain words."""
        return self.titles.get(key) or self._catalogue.NAMES.get(key, key.replace("_", " "))

    def plural(self, noun: str) -> str:
        """Return the plural of what a game calls something; in English an s is added where nothing else is known."""
        return self.name(f"{noun}s")

    def note(self, text: str) -> str:
        """Return a remark of the analyses in the language; as it is where it is not known."""
        for pattern, phrase in self._notes:
            if found := pattern.fullmatch(text):
                return phrase.format(**{name: self.name(part) for name, part in found.groupdict().items() if part})
        return text


ENGLISH = Words()
