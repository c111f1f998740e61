"""The files of words: both languages have the same phrases, and a game's file is checked when it is read."""

from __future__ import annotations

import re
import string
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from reports import words
from reports.words import ENGLISH, Words, catalogue, words_file
from simcore.errors import UsageError
from simcore.homes import GAMES, Home

Tables = dict[str, dict[str, str]]


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def check_same(english: dict[str, str], french: dict[str, str]) -> None:
    assert english.keys() == french.keys()
    for key, text in english.items():
        assert fields(text) == fields(french[key]), key


def test_the_languages_have_the_same_phrases_and_fields() -> None:
    english, french = catalogue("en"), catalogue("fr")
    check_same(dict(english.phrases), dict(french.phrases))
    assert english.verdicts.keys() == french.verdicts.keys()
    assert english.notes.keys() <= french.notes.keys()


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_the_same_phrases_and_names_in_both_languages(game: str) -> None:
    english, french = (words_file(game, lang) for lang in ("en", "fr"))
    check_same(english.get("phrases", {}), french.get("phrases", {}))
    assert english["names"].keys() <= french["names"].keys()
    assert english.get("verdicts", {}).keys() == french.get("verdicts", {}).keys()
    assert english.get("notes", {}).keys() <= french.get("notes", {}).keys()


def sentences(lang: str) -> list[tuple[str, str]]:
    """Return all phrases, verdicts and notes of a language, those of the games included, with their keys."""
    found = [catalogue(lang).phrases, catalogue(lang).verdicts, catalogue(lang).notes]
    found += [words_file(game, lang).get(table, {}) for game in GAMES for table in ("phrases", "verdicts", "notes")]
    return [item for table in found for item in table.items()]


LOWER_ENDS = {"gone_low", "generations", "least", "power", "value"}
"""What "at least" may stand before: lower ends of ranges, and limits."""

OVERSTATED = {
    "en": ("strongest players available", "about the same number", "about equally", "loses by", "least amounts by"),
    "fr": ("joueurs les plus forts disponibles", "à peu près autant", "perd de {"),
}
"""What was said of a difference that these games cannot show, of a picked maximum, and of percentage points."""


@pytest.mark.parametrize(("lang", "at_least"), [("en", "at least"), ("fr", "au moins(?: de)?")])
def test_no_sentence_says_more_than_its_numbers(lang: str, at_least: str) -> None:
    for key, text in sentences(lang):
        assert set(re.findall(rf"(?i){at_least} \{{(\w+)", text)) <= LOWER_ENDS, key
        assert not [one for one in OVERSTATED[lang] if one in text], key
        associated = re.search(r"(?i)\b(worth|vaut|valent) \{", text)
        assert not associated or key.startswith("secrets_"), f"{key}: an association is no worth"


@pytest.fixture
def pigs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of words of a game, of which `words` believes that it is installed."""
    folder = tmp_path / "words"
    folder.mkdir()
    configs: Traversable = tmp_path
    monkeypatch.setattr(words, "home", lambda game: Home(str, str, game, game, configs, game, game))
    words.catalogue_of.cache_clear()
    return folder


def test_a_game_names_its_own_and_words_a_shared_phrase_anew(pigs: Path) -> None:
    (pigs / "en.toml").write_text('[phrases]\n"yes" = "aye"\n"own.key" = "{count} pigs"\n[names]\n"pig" = "a pig"\n')
    english = ENGLISH.of_game("pig")
    assert (english("yes"), english("no")) == ("aye", "no")
    assert english("own.key", count=2) == "2 pigs"
    assert english.name("pig") == "a pig"


def test_a_game_without_french_falls_back_on_its_english(pigs: Path) -> None:
    (pigs / "en.toml").write_text('[phrases]\n"yes" = "aye"\n"own.key" = "pigs"\n[names]\n"pig" = "a pig"\n')
    french = Words("fr").of_game("pig")
    assert (french("own.key"), french.name("pig"), french("yes")) == ("pigs", "a pig", "oui")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[phrase]", r"no table \[phrase\] is known here; did you mean 'phrases'"),
        ('phrases = "x"', r"no table \[phrases\] is known here"),
        ("[names]\npig = 1", r'\[names\] "pig" is not a text; put the phrase in quotation marks'),
        ("[names", "not a TOML file"),
    ],
)
def test_a_bad_file_of_words_is_named(pigs: Path, text: str, says: str) -> None:
    (pigs / "en.toml").write_text(text)
    with pytest.raises(UsageError, match=f"en.toml: {says}"):
        ENGLISH.of_game("pig")("yes")
