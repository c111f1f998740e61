"""Rules as data, on a toy game: what files may hold, how they extend each other, and what is said of bad ones."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from simcore.errors import UsageError
from simcore.kernel.records import fields, layout, pack_numbers
from simcore.rules.files import (
    Identifier,
    Rules,
    RuleSet,
    Text,
    differences,
    load_rules,
    numbers_of,
    shipped_rules,
    switch,
)
from simcore.toml_tables import MAX_BYTES, MAX_DEPTH, Table, flatten, merge, parse


class Card(Table):
    title: Text
    worth: Annotated[int, Field(ge=0, le=9)] = 1


class Bank(Table):
    assumed: bool = False
    coins: Annotated[int, Field(ge=0, le=100)]


class ToyRules(RuleSet):
    game: Literal["toy"]
    floor: Annotated[bool, switch("whether a score below 0 counts as 0")]
    reading: Annotated[Literal["strict", "lax"], switch("how the rulebook is read")]
    bank: Bank
    cards: dict[Identifier, Card]


TOY: Any = SimpleNamespace(name="toy", rules=ToyRules)
BASE = """\
format = "equipoise-rules/1"
game = "toy"
name = "base"
title = "A toy"
floor = false
reading = "strict"
[bank]
assumed = true
coins = 40
[cards.ace]
title = "Ace"
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ship the toy's files from a temporary folder, and work in another."""
    shipped = tmp_path / "shipped" / "toy"
    (shipped / "variants").mkdir(parents=True)
    (shipped / "base.toml").write_text(BASE)
    (shipped / "variants" / "rich.toml").write_text('extends = "base"\n[bank]\ncoins = 100\n')
    monkeypatch.setattr("simcore.homes.home", lambda _: SimpleNamespace(configs=shipped, reference="fief-2"))
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    return work


def brief(value: object) -> str:
    """Keep the names of tests short."""
    return ascii(value)[:40]


def complaint(reference: str | Path, *settings: str) -> str:
    with pytest.raises(UsageError) as caught:
        load_rules(TOY, reference, settings)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    return message


def test_shipped_names_stand_base_first() -> None:
    assert shipped_rules(TOY) == ["base", "rich"]


def test_variant_changes_only_what_it_names() -> None:
    rich = load_rules(TOY, "rich")
    assert differences(load_rules(TOY), rich) == {"bank.coins": {"old": 40, "new": 100}}
    assert (rich.name, rich.title) == ("rich", "rich"), "a variant must not pass for the set that it extends"


def test_file_extends_the_one_beside_it_before_a_shipped_one(folder: Path) -> None:
    (folder / "rich.toml").write_text('extends = "base"\n[bank]\ncoins = 7\n')
    (folder / "mine.toml").write_text('extends = "rich"\nfloor = true\n')
    assert load_rules(TOY, "mine.toml").to_dict()["bank"]["coins"] == 7
    assert load_rules(TOY, "rich").to_dict()["bank"]["coins"] == 100, "on the command line a shipped name wins"


def test_file_may_extend_the_shipped_one_of_its_own_name(folder: Path) -> None:
    (folder / "base.toml").write_text('extends = "base"\n[bank]\ncoins = 7\n')
    assert load_rules(TOY, folder / "base.toml").to_dict()["bank"]["coins"] == 7


def test_circle_of_files_is_refused(folder: Path) -> None:
    (folder / "a.toml").write_text('extends = "b"\n')
    (folder / "b.toml").write_text('extends = "a.toml"\n')
    assert "a.toml -> " in complaint("a.toml")
    assert "circle" in complaint("a.toml")


def test_long_chain_is_refused(folder: Path) -> None:
    for n in range(20):
        (folder / f"r{n}.toml").write_text(f'extends = "r{n + 1}"\n')
    assert "files deep" in complaint("r0.toml")


def test_digest_is_sha256_of_canonical_json() -> None:
    """replay_log.md: the SHA-256 of the resolved rules as canonical JSON (sorted keys, no spaces), in hex."""
    canonical = (
        '{"bank":{"assumed":true,"coins":40},"cards":{"ace":{"title":"Ace","worth":1}},"floor":false,'
        '"format":"equipoise-rules/1","game":"toy","name":"base","reading":"strict","title":"A toy"}'
    )
    assert load_rules(TOY).digest == hashlib.sha256(canonical.encode()).hexdigest()


def test_spelling_out_a_default_changes_no_digest(folder: Path) -> None:
    (folder / "x.toml").write_text(BASE + "worth = 1\n")
    assert load_rules(TOY, "x.toml").digest == load_rules(TOY).digest
    (folder / "x.toml").write_text(BASE + "worth = 2\n")
    assert load_rules(TOY, "x.toml").digest != load_rules(TOY).digest


def test_rules_survive_toml_json_and_pickle(folder: Path) -> None:
    rules = load_rules(TOY, "rich", ["reading=lax"])
    (folder / "full.toml").write_text(rules.to_toml())
    assert load_rules(TOY, "full.toml").digest == rules.digest
    assert Rules.from_dict(TOY, json.loads(json.dumps(rules.to_dict()))).digest == rules.digest
    assert pickle.loads(pickle.dumps(rules)).digest == rules.digest


def test_switches_and_assumptions_can_be_listed() -> None:
    rules = load_rules(TOY)
    assert rules.switches == {"floor": False, "reading": "strict"}
    assert rules.assumed == ["bank"]
    assert load_rules(TOY, "base", ["bank.assumed=false"]).assumed == []


@pytest.mark.parametrize(
    ("setting", "key", "value"),
    [
        ("reading=lax", "reading", "lax"),
        ('reading="lax"', "reading", "lax"),
        ("bank.coins = 3", "bank.coins", 3),
        ("floor=true", "floor", True),
        ("cards.ace.worth=9", "cards.ace.worth", 9),
        ("cards.ace={worth=9}", "cards.ace.worth", 9),
        ("cards.king={title='King', worth=3}", "cards.king.worth", 3),
    ],
)
def test_settings_change_one_value(setting: str, key: str, value: object) -> None:
    assert load_rules(TOY, "base", [setting]).flat()[key] == value


def test_later_settings_win_and_are_remembered() -> None:
    rules = load_rules(TOY, "rich", ["bank.coins=1", "bank.coins=2"])
    assert rules.flat()["bank.coins"] == 2
    assert rules.settings == ("bank.coins=1", "bank.coins=2")


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("reading=laks", "reading: must be 'strict' or 'lax', not \"laks\""),
        ("raeding=lax", "raeding: unknown key; did you mean 'reading'?"),
        ("bnak.coins=1", "no table 'bnak'; did you mean 'bank'?"),
        ("bank.coin=1", "[bank] coin: unknown key; did you mean 'coins'?"),
        ("cards.acce.worth=1", "no table 'cards.acce'; did you mean 'ace'?"),
        ("cards.acce={worth=1}", "[cards.acce] title: key is missing; did you mean 'ace'?"),
        ("bank.coins.more=1", "'bank.coins' is not a table"),
        ("bank=1", "bank: must be a table, not 1"),
        ("bank.coins=3.0", "[bank] coins: must be a whole number, not 3.0"),
        ("bank.coins='3'", '[bank] coins: must be a whole number, not "3"'),
        ("bank.coins=true", "[bank] coins: must be a whole number, not true"),
        ("bank.coins=nan", "must be a whole number, not NaN"),
        ("bank.coins=-inf", "must be a whole number, not -Infinity"),
        ("bank.coins=-1", "must be 0 or more, not -1"),
        ("bank.coins=101", "must be 100 or less, not 101"),
        ("bank.coins=" + "9" * 5000, "must be a whole number"),
        ("bank.coins=0x" + "f" * 5000, "must be 100 or less"),
        ("bank.coins=" + "[" * 5000, "must be a whole number"),
        ("bank.coins=" + "[" * 20 + "]" * 20, "nested too deeply"),
        ("bank.coins=1979-05-27", "must be a whole number"),
        ("floor=1", "floor: must be true or false, not 1"),
        ("title=", "title: must be 1 to 80 printable characters"),
        ("cards.King={title='x'}", "must be lower-case letters, digits and _"),
        ("title='\x1b[31m'", "title: must be 1 to 80 printable characters"),
        ("extends=rich", "extends: unknown key"),
        ("floor", "write key=value"),
        ("=1", "write key=value"),
        ("bank..coins=1", "write key=value"),
    ],
    ids=brief,
)
def test_bad_setting_is_named(setting: str, says: str) -> None:
    message = complaint("base", setting)
    assert message.startswith("setting ")
    assert says in message
    assert "\x1b" not in message


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "the file is empty"),
        (b"# only a comment\n", "the file is empty"),
        (b"\xff\xfe\x00\x01", "not a text file in UTF-8"),
        (b"\x7fELF\x02\x01\x01\x00", "not valid TOML"),
        (b"x = \n", "not valid TOML"),
        (b"x = " + b"9" * 5000, "not valid TOML: a number has thousands of digits"),
        (b"x = " + b"[" * 100_000, "nested too deeply"),
        (b"x = " + b"[" * 20 + b"]" * 20, "nested too deeply"),
        (b"a." * 100_000 + b"a = 1", "line 1: nested too deeply"),
        (b"x = {" + b"a . " * 100_000 + b"a = 1}", "line 1: nested too deeply"),
        (b"[" + b"a." * 30 + b"a]\nx = 1", "nested too deeply"),
        (b"#" * (MAX_BYTES + 1), "larger than 1 MB"),
        (b"floor = true\n", "neither 'extends' nor 'format' is set"),
        (b"extends = 3\n", "extends: must be the name or path"),
        (b'extends = "bse"\n', "extends: no rules 'bse'; did you mean 'base'?"),
        (b'extends = ""\n', "extends: no rules ''"),
        (b'extends = "' + b"x" * 5000 + b'"\n', "extends: no rules 'xxx"),
        (b'extends = "\\u0000"\n', "extends: no rules"),
        (b'extends = "base"\nformat = "equipoise-rules/2"\n', "format: must be 'equipoise-rules/1'"),
        (
            b'extends = "base"\ngame = "fief-2"\ncards = 1\n',
            "rules of fief-2, not of toy; name that game: --game fief-2",
        ),
        (b'extends = "base"\ngame = "chess"\n', "game: must be 'toy', not \"chess\""),
        (b'extends = "base"\n[bank]\ncoins = 1\ncions = 2\n', "[bank] cions: unknown key; did you mean 'coins'?"),
        (b'extends = "base"\nbanks = 1\nfloor = 3\n', "banks: unknown key; did you mean 'bank'? (and 1 more)"),
        (b'extends = "base"\n[cards.Ace]\ntitle = "x"\n', "[cards] Ace: must be lower-case"),
        (b'extends = "base"\n"\\u001b[31m" = 1\n', "unknown key"),
        (b'extends = "base"\nbank = []\n', "bank: must be a table, not []"),
        (BASE.replace("coins = 40", "").encode(), "[bank] coins: key is missing"),
    ],
    ids=brief,
)
def test_bad_file_is_named(folder: Path, content: bytes, says: str) -> None:
    (folder / "mine.toml").write_bytes(content)
    message = complaint("mine.toml")
    assert message.startswith("mine.toml: ")
    assert says in message
    assert "\x1b" not in message


def test_blame_falls_on_the_file_that_gave_the_value(folder: Path) -> None:
    (folder / "under.toml").write_text('extends = "base"\nfloor = 3\n')
    (folder / "over.toml").write_text('extends = "under"\nreading = "lax"\n')
    assert complaint("over.toml").startswith("under.toml: floor: ")


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        ("bsae", "no rules 'bsae'; did you mean 'base'?"),
        ("nowhere.toml", "nowhere.toml: no such file"),
        ("some/where", "some/where: no such file"),
        ("x" * 5000, "no rules 'xxx"),
        ("x" * 5000 + ".toml", "cannot be read"),
        ("a\0b.toml", r"a\x00b.toml: no such file"),
        ("", "no rules ''"),
    ],
    ids=brief,
)
def test_unknown_reference_is_named(reference: str, says: str) -> None:
    assert says in complaint(reference)


def test_directory_and_device_are_refused(folder: Path) -> None:
    (folder / "dir.toml").mkdir()
    assert "dir.toml: not a file" in complaint("dir.toml")
    assert "not a file" in complaint(Path("/dev/zero"))


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file_is_named(folder: Path) -> None:
    (folder / "secret.toml").write_text(BASE)
    (folder / "secret.toml").chmod(0)
    assert "secret.toml: cannot be read: Permission denied" in complaint("secret.toml")


def test_windows_files_are_read(folder: Path) -> None:
    (folder / "mine.toml").write_bytes(b"\xef\xbb\xbf" + BASE.replace("\n", "\r\n").encode())
    assert load_rules(TOY, "mine.toml").digest == load_rules(TOY).digest


def test_incomplete_manifest_is_refused() -> None:
    table = load_rules(TOY).to_dict()
    del table["bank"]
    with pytest.raises(UsageError, match="rules: bank: key is missing"):
        Rules.from_dict(TOY, table)


def test_merging_replaces_lists_and_leaves_its_inputs_alone() -> None:
    under, over = {"a": {"b": [1, 2], "c": 3}}, {"a": {"b": [4]}}
    assert merge(under, over) == {"a": {"b": [4], "c": 3}}
    assert under == {"a": {"b": [1, 2], "c": 3}}


def test_flat_keys() -> None:
    assert flatten({"a": {"b": [1], "c": {}}, "d": 2}) == {"a.b": [1], "a.c": {}, "d": 2}


def test_many_dots_that_are_no_key_are_read() -> None:
    numbers = "x = [" + "0.5, " * 500 + "]"
    assert parse(f"# {'.' * 500}\n{numbers}".encode(), "x") == {"x": [0.5] * 500}


def test_deepest_table_allowed() -> None:
    keys = ".".join("a" * (MAX_DEPTH - 1))
    assert flatten(parse(f"{keys} = 1".encode(), "x")) == {keys: 1}
    with pytest.raises(UsageError, match="nested too deeply"):
        parse(f"{keys}.a.a = 1".encode(), "x")


class NumberedRules(ToyRules):
    coins: int
    limits: tuple[Annotated[int, Field(ge=0)], int]
    prizes: tuple[int, ...]
    title_of_winner: str


def test_the_record_for_kernels_has_numbers_switches_and_lists_of_fixed_length() -> None:
    numbers = numbers_of(NumberedRules)
    assert numbers.names == ("players", "floor", "reading", "coins", "limits")

    values = NumberedRules.model_construct(floor=True, reading="lax", coins=7, limits=(2, 5))
    record = pack_numbers(numbers, values, 3)
    assert [record[name].tolist() for name in numbers.names] == [3, 1, 1, 7, [2, 5]]


def test_a_game_may_add_fields_to_the_record_for_kernels() -> None:
    numbers = numbers_of(NumberedRules)
    values = NumberedRules.model_construct(floor=False, reading="strict", coins=7, limits=(2, 5))
    record = pack_numbers(layout(*fields(numbers), ("sum", "i4")), values, 3, numbers.names)
    assert (record["players"], record["reading"], record["limits"].tolist(), record["sum"]) == (3, 0, [2, 5], 0)
