"""The words of reports, in English and in French."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Any

from analysis.data.edits import Edit, Edits, Keys
from analysis.data.results import Amount, Counted, Note, Result, Unanswered, Verdict
from analysis.stats.multiple_testing import Tied
from simcore.errors import UsageError, nearest
from simcore.homes import home

LANGUAGES = ("en", "fr")
TABLES = ("phrases", "names", "verdicts", "notes")
"""Tables of a file of words."""

FOLDER = Path(__file__).parent

NAMED = 4
"""Largest number of names in a sentence on things that cannot be distinguished."""

_FRENCH = str.maketrans({",": "\u202f", ".": ",", "%": "\u202f%", "-": "\u2212"})
_ENGLISH = str.maketrans({"-": "\u2212"})


class _Number(float):
    """A number that is written as usual in a language.

    A form may end in the words for one and for several: `{games:,|game|games}` gives "1 game" and "2,000 games".  A
    chance has a form such as `~.1%`, which writes "over 99.9%" and "under 0.1%" where it would round to certainty.
    """

    signs: dict[int, str]

    def __new__(cls, value: float, signs: dict[int, str]) -> _Number:
        made = super().__new__(cls, value)
        made.signs = signs
        return made

    def __format__(self, form: str) -> str:
        form, *nouns = form.split("|")
        if nouns:
            many = float(self) != 1 and (self.signs is _ENGLISH or abs(self) >= 2)
            return f"{format(self, form)} {nouns[many]}"
        if form.startswith("~"):
            return self._chance(form[1:])
        if form.endswith("pp"):  # percentage points
            text = format(100 * float(self), f"{form[:-2]}f")
        elif self.is_integer() and form in ("", ",", "d", "+d", "+,"):
            text = format(int(self), form)
        else:
            text = format(float(self), form or ",.4g")
        if text.startswith("-") and not text.strip("-0.,%"):
            text = text[1:]  # nothing is less than nothing
        return text.translate(self.signs)

    def _chance(self, form: str) -> str:
        step = 10.0 ** -(int(form[1]) + 2)
        over, under = ("plus de ", "moins de ") if self.signs is _FRENCH else ("over ", "under ")
        if self > 1 - step / 2:
            return over + format(_Number(1 - step, self.signs), form)
        return under + format(_Number(step, self.signs), form) if self < step / 2 else format(self, form)


@dataclass(frozen=True)
class Catalogue:
    """The contents of a language's file, whose comments explain each part."""

    phrases: Mapping[str, str]
    names: Mapping[str, str]
    verdicts: Mapping[str, str]
    notes: Mapping[str, str]


@cache
def catalogue(lang: str) -> Catalogue:
    """Return the phrases of a language."""
    table = tomllib.loads((FOLDER / f"{lang}.toml").read_text(encoding="utf-8"))
    return Catalogue(*(table[name] for name in TABLES))


@cache
def catalogue_of(game: str, lang: str) -> Catalogue:
    """Return the phrases of a language with those of a game; if the game lacks the language, with its English ones."""
    shared, english, own = catalogue(lang), words_file(game, ENGLISH.lang), words_file(game, lang)
    return Catalogue(*(english.get(name, {}) | dict(getattr(shared, name)) | own.get(name, {}) for name in TABLES))


def words_file(game: str, lang: str) -> dict[str, dict[str, str]]:
    """Return the tables of a game's own words in a language; empty if it has no such file.

    Raises UsageError if the file is not valid TOML, or has unknown tables or values.
    """
    file = home(game).configs / "words" / f"{lang}.toml"
    if not file.is_file():
        return {}
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{file}: not a TOML file: {error}") from error
    for name, table in tables.items():
        if name not in TABLES or not isinstance(table, dict):
            raise UsageError(f"{file}: no table [{name}] is known here{nearest(name, TABLES)}")
        for key, phrase in table.items():
            if not isinstance(phrase, str):
                raise UsageError(f'{file}: [{name}] "{key}" is not a text; put the phrase in quotation marks')
    return tables


@dataclass(frozen=True)
class Words:
    """The phrases of a language."""

    lang: str = "en"  # "en" or "fr"
    titles: Mapping[str, str] = field(default_factory=dict)  # the game's names for its things, by key
    game: str = ""  # game whose own words are included.  If empty, none.

    def __post_init__(self) -> None:
        if self.lang not in LANGUAGES:
            raise UsageError(f"no language '{self.lang}'{nearest(self.lang, LANGUAGES)}", "lang")
        object.__setattr__(self, "titles", MappingProxyType(dict(self.titles)))

    @property
    def _catalogue(self) -> Catalogue:
        return catalogue_of(self.game, self.lang) if self.game else catalogue(self.lang)

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return a phrase with its values."""
        phrase: str = self._catalogue.phrases[key]
        return phrase.format(**{name: self.local(value) for name, value in values.items()}) if values else phrase

    def has(self, key: str) -> bool:
        """Return whether there is such a phrase."""
        return key in self._catalogue.phrases

    def of_game(self, game: str) -> Words:
        """Return the same words with a game's own words, from `words/<language>.toml` in its folder of configs."""
        return replace(self, game=game)

    def naming(self, titles: Mapping[str, str]) -> Words:
        """Return the same words with a game's names for its things."""
        return replace(self, titles={**self.titles, **titles})

    def title(self, key: str) -> str:
        """Return the game's name for a key, or the key itself if it has no name."""
        return self.titles.get(key, key)

    def local(self, value: Any) -> Any:
        """Return a value that formats itself as usual in the language."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return value
        if isinstance(value, Amount):
            return self.number(float(value), value.form)
        return _Number(value, _FRENCH if self.lang == "fr" else _ENGLISH)

    def number(self, value: float, form: str = ",.2f") -> str:
        """Write a number, in the notation of `format`."""
        return format(self.local(value), form)

    def listed(self, items: Sequence[str]) -> str:
        """Join some things with commas."""
        return ", ".join(items)

    def joined(self, items: Sequence[str]) -> str:
        """Join some things with commas, and with "and" before the last one."""
        *others, last = items
        return self("and", first=self.listed(others), last=last) if others else last

    def denominator(self, inputs: Counted) -> str:
        """Return how many games a number rests on."""
        text = self("denominator", deals=inputs.deals, games=inputs.games)
        if inputs.deals == inputs.games:
            text = self("denominator.games", games=inputs.games) if inputs.games > 1 else self("denominator.one")
        if inputs.excluded:
            text += self("denominator.excluded", excluded=inputs.excluded)
        if not inputs.whole:
            text += self("denominator.short", planned=inputs.planned)
        return text

    def verdict(self, verdict: Verdict) -> str:
        """Return a verdict's sentence; a plain one if nobody wrote it, as can happen in a game of another package."""
        phrase = self.phrase_of(verdict.code)
        if phrase is None:
            return self("verdict.unworded", code=verdict.code)
        said = phrase.format(**{name: self._said(value) for name, value in verdict.values.items()})
        return self._begun(said, phrase, verdict.values)

    def phrase_of(self, code: str) -> str | None:
        """Return the phrase for a verdict's code, or for the code without its endings; None if there is none."""
        phrases: Mapping[str, str] = self._catalogue.verdicts
        matching = [one for one in phrases if code == one or code.startswith(f"{one}_")]
        return phrases[max(matching, key=len)] if matching else None

    def _said(self, value: Any) -> Any:
        """Return a value of a sentence as words: keys by their names, and parts of a whole with their shares."""
        if isinstance(value, Counted):
            return self.denominator(value)
        if isinstance(value, Tied):
            return self.tied(value)
        if isinstance(value, Edits):
            return told(self, value)
        if isinstance(value, Keys):
            return self.listed([title(self, key) for key in value])
        if isinstance(value, tuple):
            return self.listed(
                [
                    told(self, item)
                    if isinstance(item, Edits)
                    else self._part(*item)
                    if isinstance(item, tuple)
                    else self.known(item) or item
                    for item in value
                ]
            )
        if not isinstance(value, str):
            return self.local(value)
        return self.known(value) or (self.name(value) if value.endswith(".first") else value)

    def tied(self, names: Tied) -> str:
        """Return the names of what may be the largest: one, several, or the first of many, called indistinguishable."""
        first, *others = [self.known(name) or name for name in names]
        if len(names) > NAMED:
            return self("tied.many", first=first, others=len(others))
        return self("tied", names=self.listed([first, *others[:-1]]), last=others[-1]) if others else first

    def _part(self, key: str, share: float) -> str:
        text = self.number(share, ".0%")
        return f"{self.name(key)} {text if share >= 0.005 else self('about', value=text)}"

    def name(self, key: str) -> str:
        """Return the name of a key of the analyses; NAME.first falls back to NAME."""
        plain = key.removesuffix(".first")
        return self.known(key) or self.known(plain) or plain.replace("_", " ")

    def known(self, key: str) -> str | None:
        """Return the game's or the language's name for a key; None if neither has one."""
        return self.titles.get(key) or self._catalogue.names.get(key)

    def plural(self, noun: str) -> str:
        """Return the plural of a game's word; in English, an s is added unless the plural is known."""
        return self.name(f"{noun}s")

    def note(self, note: Note) -> str:
        """Return a remark of the analyses as a sentence."""
        phrase = self._catalogue.notes[note.code]
        return self._begun(phrase.format(**self._values(note)), phrase, note.values)

    def _begun(self, said: str, phrase: str, values: Mapping[str, Any]) -> str:
        """Return a sentence with a capital letter if a name of ours begins it; names that users gave stay."""
        first = values.get(phrase[1:].partition("}")[0]) if phrase.startswith("{") else None
        return said[:1].upper() + said[1:] if isinstance(first, str) and self.known(first) else said

    def refusal(self, error: UsageError) -> str:
        """Return why an analysis gave no answer; an error without a translation stays in English."""
        if not isinstance(error, Unanswered):
            return str(error)
        phrase = self._catalogue.notes.get(error.note.code)
        return phrase.format(**self._values(error.note)) if phrase else str(error)

    def _values(self, note: Note) -> dict[str, Any]:
        own = {"column"}  # names that the user's file has, whatever they mean here
        return {name: value if name in own else self._said(value) for name, value in note.values.items()}

    def describe(self, result: Result) -> str:
        """Return the verdicts, the denominators and the notes of a result as text, one line for each."""
        lines = [self.verdict(verdict) for verdict in result.verdicts]
        lines += [f"{item.label}: {self.denominator(item)}." for item in result.inputs]
        return "\n".join([*lines, *map(self.note, result.notes)])


def glossary(words: Words) -> dict[str, str]:
    """Return the definitions of the terms of statistics and of this toolkit, by term."""
    entries = (phrase.partition("|") for key, phrase in words._catalogue.phrases.items() if key.startswith("glossary."))
    return {term: meaning for term, _, meaning in entries}


ENGLISH = Words()

# --- Changes of the rules in the game's own words, such as "17, 25 and 34 coins for seats 2, 3 and 4" ---
#
# A game names the keys of its rules among its words: `"rule.KEY"`, where one part of the key may be `*`, and `{entry}`
# in the title stands for that part.  A title without `{entry}` of a list is what each seat has, such as "coins".

MOST_CHANGES = 6
"""Largest number of values that are told one by one."""

_TRUTH = {"True": True, "true": True, "False": False, "false": False}


def told(words: Words, edits: Edits) -> str:
    """Return a change of the rules in words."""
    changes = []
    for players, group in groupby(sorted(edits, key=lambda one: one.players or 0), key=lambda one: one.players):
        text = words.joined(list(_told(words, list(group))))
        changes.append(words("edit.players", players=players, change=text) if players else text)
    return "; ".join(changes) or words("sweep.as_is")


def settings_told(words: Words, settings: Sequence[str], before: Mapping[str, Any] = MappingProxyType({})) -> str:
    """Return settings such as `effects.mill_coins=3` in words; of a list, what differs from the rules before."""
    pairs = (setting.partition("=") for setting in settings)
    return told(words, Edits(Edit(key, before.get(key) if _entries(value) else None, value) for key, _, value in pairs))


def title(words: Words, key: str) -> str:
    """Return the game's name for a key of its rules, or the key in plain words."""
    if named := _template(words, key):
        return named
    parts = key.split(".")
    above, _, last = key.rpartition(".")
    if (named := words.known(f"rule.{above}")) and last.isdigit():
        return words("edit.of_seat", title=named, seat=int(last))
    return words.known(f"rule.{key}") or ": ".join(words.name(part) for part in parts)


def _template(words: Words, key: str) -> str | None:
    """Return the game's name for keys of which one part may be anything; None if it names none such."""
    parts = key.split(".")
    for at, part in enumerate(parts):
        if named := words.known(f"rule.{'.'.join([*parts[:at], '*', *parts[at + 1 :]])}"):
            return named.format(entry=words.name(part))
    return None


def _told(words: Words, edits: Sequence[Edit]) -> Iterator[str]:
    """Yield a text for each value, or for all entries of a list by seat."""
    by_list: dict[str, list[Edit]] = {}
    for edit in (entry for given in edits for entry in _by_entry(words, given)):
        above, _, last = edit.key.rpartition(".")
        by_list.setdefault(above if last.isdigit() and words.known(f"rule.{above}") else edit.key, []).append(edit)
    shown = list(by_list.items())[:MOST_CHANGES]
    for key, some in shown:
        if some[0].key == key:
            yield _one(words, some[0])
        else:
            seats, values = ([part(one) for one in some] for part in (_seat, lambda one: str(one.new)))
            form = "edit.seats" if len(some) > 1 else "edit.seat"
            noun = words.known(f"rule.{key}.one") if values == ["1"] else None
            yield words(
                form, values=words.joined(values), title=noun or words.name(f"rule.{key}"), seats=words.joined(seats)
            )
    if len(by_list) > len(shown):
        yield words("edit.more", count=len(by_list) - len(shown))


def _by_entry(words: Words, edit: Edit) -> Iterator[Edit]:
    """Yield a change for each entry that differs in a list whose entries have names; any other change as it is."""
    new, old = _entries(edit.new), _entries(edit.old)
    pairs = enumerate(zip(old if len(old) == len(new) else [None] * len(new), new, strict=True), 1)
    entries = [Edit(f"{edit.key}.{number}", was, now, edit.players) for number, (was, now) in pairs if was != now]
    named = words.known(f"rule.{edit.key}") or all(_template(words, entry.key) for entry in entries)
    yield from entries if entries and named else [edit]


def _entries(value: Any) -> list[str]:
    """Return the entries of a list, or of its text."""
    text = str(value)
    return [entry.strip() for entry in text[1:-1].split(",")] if text.startswith(("[", "(")) else []


def _seat(edit: Edit) -> str:
    return edit.key.rpartition(".")[2]


def _one(words: Words, edit: Edit) -> str:
    """Return the text of a single value; a switch is on or off, and titles are plurals, which do not suit a 1."""
    name, truth = title(words, edit.key), _TRUTH.get(str(edit.new))
    if truth is not None:
        return words("edit.with" if truth else "edit.without", title=name)
    values = {"title": name, "new": words.name(str(edit.new)), "old": words.name(str(edit.old))}
    form = "number" if str(edit.new).lstrip("-").isdigit() and str(edit.new) != "1" else "value"
    return words(f"edit.{form}{'_new' if edit.old in (None, 'None') else ''}", **values)
