"""The configuration: found, read strictly, written back, and made into checks and a policy."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpusgate import registry
from corpusgate.config import Config, load, render
from corpusgate.config.settings import READS
from corpusgate.errors import ConfigError
from corpusgate.model import Check, Partial, Rule, Severity
from corpusgate.text import toml

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


@dataclass(frozen=True)
class Seen(Partial):
    rows: int = 0


@dataclass(frozen=True)
class Noise(Check[Seen]):
    """A check of two measures, one of them limited."""

    max_share: float = 0.01
    kinds: tuple[str, ...] = ("c0",)
    needs = "decode"
    partial: ClassVar[type[Partial]] = Seen

    @classmethod
    def name(cls) -> str:
        return "noise"

    def observe(self, block: Any) -> Seen:
        return Seen(len(block))

    def metrics(self, _evidence: Any) -> Mapping[str, float]:
        return {}

    def conclude(self, _evidence: Any) -> Iterator[Any]:
        yield from ()

    def rules(self) -> tuple[Rule, ...]:
        return (Rule("noise.share", "<=", self.max_share, Severity.WARNING),)


@dataclass(frozen=True)
class Shift(Noise):
    """A check of splits held against train."""

    max_ks: float = 0.1

    @classmethod
    def name(cls) -> str:
        return "shift"

    def rules(self) -> tuple[Rule, ...]:
        return (Rule("shift.ks", "<=", self.max_ks, scope="against-train"),)


AVAILABLE = {"noise": Noise, "shift": Shift}


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def refused(table: Mapping[str, Any]) -> str:
    with pytest.raises(ConfigError) as caught:
        Config.of(table)
    return str(caught.value)


# --- found


def test_the_first_file_found_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, here = tmp_path / "data", tmp_path / "here"
    data.mkdir()
    here.mkdir()
    monkeypatch.chdir(here)
    assert load(None, data) == Config()
    shared = '[project]\nname = "x"\n[tool.corpusgate.report]\ntitle = "shared"\n'
    written(here / "pyproject.toml", shared)
    assert load(None, data).report.title == "shared"
    written(here / "corpusgate.toml", 'report.title = "here"')
    assert load(None, data).report.title == "here"
    written(data / "corpusgate.toml", 'report.title = "data"')
    assert load(None, data).report.title == "data"
    given_ = written(tmp_path / "other.toml", 'report.title = "given"')
    assert load(given_, data).report.title == "given"
    assert load(here / "pyproject.toml", data).report.title == "shared"


def test_nothing_above_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "corpusgate.toml", 'report.title = "above"')
    below = tmp_path / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert load(None, below) == Config()


def test_a_project_of_other_tools_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path / "pyproject.toml", "[tool.ruff]\nline-length = 100\n")
    monkeypatch.chdir(tmp_path)
    assert load(None, tmp_path) == Config()
    with pytest.raises(ConfigError, match=r"no \[tool\.corpusgate\]"):
        load(path, tmp_path)


def test_paths_are_resolved_from_the_file(tmp_path: Path) -> None:
    path = written(tmp_path / "set" / "corpusgate.toml", 'tokenize.tokenizer = "t/tokenizer.json"')
    config = load(path, tmp_path)
    assert config.source == path
    assert config.resolve("t/tokenizer.json") == tmp_path / "set" / "t" / "tokenizer.json"


@pytest.mark.parametrize(
    ("content", "slug"),
    [
        (None, "no-config"),
        (b"[input\n", "config-syntax"),
        (b"\xff\xfe[\x00", "config-syntax"),
        (b"inptu = 1", "unknown-key"),
        (b"input = 1", "config-value"),
    ],
)
def test_a_file_that_cannot_be_followed_is_named(
    tmp_path: Path, content: bytes | None, slug: str
) -> None:
    path = tmp_path / "corpusgate.toml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError, match=r"corpusgate\.toml") as caught:
        load(path, tmp_path)
    assert caught.value.slug == slug


def test_a_byte_order_mark_is_no_key(tmp_path: Path) -> None:
    path = tmp_path / "corpusgate.toml"
    path.write_bytes(b"\xef\xbb\xbf[report]\ntitle = 'x'\n")
    assert load(path, tmp_path).report.title == "x"


# --- read strictly


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({"inptu": {}}, "inptu: unknown key; did you mean input?"),
        ({"input": {"spilts": {}}}, "input.spilts: unknown key; did you mean splits?"),
        (
            {"clean": {"characters": {"form_fed": "keep"}}},
            "clean.characters.form_fed: unknown key; did you mean form_feed?",
        ),
        (
            {"gate": {"rules": [{"metrik": "a.b", "metric": "a.b", "value": 1}]}},
            "gate.rules[0].metrik: unknown key; did you mean metric?",
        ),
        ({"gate": {"rules": [{"metric": "a.b"}]}}, "gate.rules[0].value: missing"),
        ({"report": {"qqq": 1}}, "report.qqq: unknown key; known: title"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest(table: dict[str, Any], says: str) -> None:
    assert refused(table) == f"the command line: {says}"


@pytest.mark.parametrize(
    ("table", "key"),
    [
        ({"decode": {"pool": "20"}}, 'decode.pool = "20"'),
        ({"decode": {"pool": True}}, "decode.pool = true"),
        ({"input": {"splits": {"train": 3}}}, "input.splits.train = 3"),
        ({"gate": {"severity": {"noise": "fatal"}}}, 'gate.severity.noise = "fatal"'),
        ({"clean": {"characters": 3}}, "clean.characters = 3"),
        ({"checks": {"noise": 3}}, "checks.noise = 3"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_by_its_key(table: dict[str, Any], key: str) -> None:
    assert key in refused(table)


def test_every_fault_is_told_at_once() -> None:
    lines = refused({"input": {"spilts": {}}, "decode": {"pool": "x"}}).splitlines()
    assert len(lines) == 2
    assert all(line.startswith("the command line: ") for line in lines)


def test_a_stage_that_refuses_its_options_is_told_where(tmp_path: Path) -> None:
    path = written(tmp_path / "corpusgate.toml", "[ablate]\nbatch = 0\n")
    with pytest.raises(ConfigError, match=r"corpusgate\.toml: .*batch"):
        load(path, tmp_path)


def test_one_string_stands_for_a_list_of_one() -> None:
    config = Config.of(
        {"input": {"text": "question", "splits": {"train": "a*.jsonl", "val": ["b"]}}}
    )
    assert config.input.text == ("question",)
    assert config.input.splits == {"train": ("a*.jsonl",), "val": ("b",)}


# --- written back


@pytest.mark.parametrize(
    "table",
    [
        {},
        {
            "input": {"text": ["q", "a"], "splits": {"v1.0": ["a b.jsonl", "\u4e2d.txt"]}},
            "gate": {
                "rules": [{"metric": "noise.share", "op": "<", "value": 1, "severity": "info"}],
                "severity": {"noise.share.v1.0": "warning"},
            },
            "checks": {"noise": {"max_share": 0.5, "kinds": ["c1", '\u202e\x00\x7f"\\']}},
            "ablate": {"run": "off", "pulse": {"step": 3}},
        },
    ],
)
def test_what_is_shown_loads_back(tmp_path: Path, table: dict[str, Any]) -> None:
    config = Config.of(table)
    text = render(config)
    path = written(tmp_path / "corpusgate.toml", text)
    assert load(path, tmp_path).model_dump() == config.model_dump()
    assert text.replace("\n", "").isprintable()
    assert "\n\n\n" not in text


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
PLAIN = TEXT | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.booleans()
TABLES = st.recursive(
    PLAIN | st.lists(PLAIN, max_size=3),
    lambda inner: (
        st.dictionaries(TEXT, inner, min_size=1, max_size=3)
        | st.lists(st.dictionaries(TEXT, inner, max_size=2), min_size=1, max_size=2)
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(TEXT, TABLES, max_size=3))
def test_any_table_reads_back_from_toml(table: dict[str, Any]) -> None:
    import tomllib

    text = toml.dumps(table)
    assert tomllib.loads(text) == table
    assert text.replace("\n", "").isprintable()


def test_toml_has_no_null() -> None:
    with pytest.raises(TypeError, match="NoneType"):
        toml.dumps({"a": None})


# --- made into checks


def test_a_check_gets_its_options() -> None:
    config = Config.of({"checks": {"noise": {"max_share": 0.5}}})
    assert config.judges(AVAILABLE) == (Noise(max_share=0.5), Shift())


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"nois": {}}, "checks.nois: unknown key; did you mean noise?"),
        ({"noise": {"max_shar": 1}}, "checks.noise.max_shar: unknown key; did you mean max_share?"),
        ({"noise": {"max_share": "1"}}, 'checks.noise.max_share = "1"'),
    ],
)
def test_an_option_that_a_check_does_not_have_is_refused(
    options: dict[str, Any], says: str
) -> None:
    with pytest.raises(ConfigError) as caught:
        Config.of({"checks": options}).judges(AVAILABLE)
    assert says in str(caught.value)


def test_every_check_can_be_configured() -> None:
    found = registry.checks()
    made = Config().judges(found)
    assert made == tuple(kind() for kind in found.values())
    assert Config().policy(made).rules == tuple(rule for check in made for rule in check.rules())


# --- made into a policy


def policy(gate: dict[str, Any], **checks: dict[str, Any]) -> tuple[Rule, ...]:
    config = Config.of({"gate": gate, "checks": checks})
    return config.policy(config.judges(AVAILABLE)).rules


NOISE, SHIFT = Noise().rules()[0], Shift().rules()[0]


def test_the_checks_state_the_policy_unless_told_otherwise() -> None:
    assert policy({}) == (NOISE, SHIFT)
    assert policy({}, noise={"max_share": 0.5}) == (replace(NOISE, value=0.5), SHIFT)


def test_a_rule_takes_the_place_of_the_checks_own() -> None:
    line = {"metric": "shift.ks", "op": "<", "value": 0.3}
    assert policy({"rules": [line]}) == (NOISE, replace(SHIFT, op="<", value=0.3))
    assert policy({"rules": [{**line, "severity": "info"}]})[1].severity is Severity.INFO


def test_a_rule_of_a_split_stands_beside_the_general_one() -> None:
    rules = policy({"rules": [{"metric": "noise.share.val", "value": 0.3}]})
    assert rules == (NOISE, SHIFT, replace(NOISE, metric="noise.share.val", value=0.3))


def test_a_measure_without_a_limit_exists_where_those_of_its_check_do() -> None:
    rules = policy({"rules": [{"metric": "shift.wasserstein", "value": 4}]})
    assert rules[-1] == Rule("shift.wasserstein", "<=", 4, Severity.ERROR, "against-train")
    own = {"metric": "shift.wasserstein", "value": 4, "scope": "split"}
    assert policy({"rules": [own]})[-1].scope == "split"


def test_a_check_that_is_disabled_keeps_only_the_rules_it_was_given() -> None:
    assert policy({"disable": ["noise"]}) == (SHIFT,)
    line = {"metric": "noise.share", "value": 0.9}
    assert policy({"disable": ["noise"], "rules": [line]}) == (SHIFT, replace(NOISE, value=0.9))


def test_the_longest_name_decides_the_severity() -> None:
    weights = {"noise": "info", "noise.share": "error"}
    assert Counter(r.severity for r in policy({"severity": weights})) == {Severity.ERROR: 2}
    line = {"metric": "noise.share", "value": 0.9, "severity": "warning"}
    rules = policy({"severity": {"noise": "info"}, "rules": [line]})
    assert rules[-1].severity is Severity.WARNING


@pytest.mark.parametrize(
    ("gate", "says"),
    [
        ({"disable": ["nois"]}, "did you mean noise?"),
        ({"rules": [{"metric": "shfit.ks", "value": 1}]}, "did you mean shift?"),
        ({"rules": [{"metric": "noise", "value": 1}]}, "check.measure"),
        ({"rules": [{"metric": "noise.share", "value": float("nan")}]}, "finite"),
        ({"severity": {"noise.shares": "info"}}, "did you mean noise.share?"),
        ({"severity": {"noi": "info"}}, "which no rule is on"),
        ({"severity": {"noise": "info"}, "disable": ["noise"]}, "which no rule is on"),
    ],
)
def test_a_gate_that_means_nothing_is_refused(gate: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError) as caught:
        policy(gate)
    assert says in str(caught.value)
    assert "the command line: [gate]" in str(caught.value)


# --- made into keys


def test_a_slice_changes_with_what_the_stage_reads_and_with_nothing_else() -> None:
    changes = {
        "input": {"label": "category"},
        "decode": {"pool": 7},
        "clean": {"bom": False},
        "tokenize": {"context": 128},
        "compare": {"seed": 5},
        "checks": {"noise": {"max_share": 0.5}},
        "ablate": {"seed": 5},
        "gate": {"disable": ["noise"]},
        "report": {"title": "x"},
    }
    assert set(changes) == set(Config.model_fields)
    for stage, sections in READS.items():
        before = json.dumps(Config().slice(stage), sort_keys=True)
        for section, change in changes.items():
            after = json.dumps(Config.of({section: change}).slice(stage), sort_keys=True)
            assert (before != after) == (section in sections), (stage, section)


def test_files_are_no_part_of_a_slice() -> None:
    config = Config.of({"input": {"splits": {"train": ["a.jsonl"]}}})
    assert config.slice("decode") == Config().slice("decode")


@pytest.mark.parametrize(
    "table",
    [
        {"gate": {"rules": [{"metric": "noise.share", "value": 0.5}]}},
        {"checks": {"noise": {"limit": 0.5}, "shift": {"error_limit": 0.5}}},
    ],
)
def test_a_limit_reaches_report_and_gate_alone(table: dict[str, Any]) -> None:
    config = Config.of(table)
    reached = [stage for stage in READS if config.slice(stage) != Config().slice(stage)]
    assert reached == ["report", "gate"]


def methods(kind: type) -> dict[str, ast.FunctionDef]:
    found = {}
    for base in reversed(kind.__mro__):
        if issubclass(base, Check) and base is not Check:
            tree = ast.parse(textwrap.dedent(inspect.getsource(base)))
            found |= {n.name: n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    return found


def options_read(kind: type, method: str) -> set[str]:
    """Attributes of self that a method reads, or a method that it uses."""
    found, seen, todo = methods(kind), set(), [method]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        if name in found:
            todo += [
                n.attr
                for n in ast.walk(found[name])
                if isinstance(n, ast.Attribute)
                and isinstance(n.value, ast.Name)
                and n.value.id == "self"
            ]
    return seen


@dataclass(frozen=True)
class Mistaken(Noise):
    """A check whose sums depend on its limit, by way of another method."""

    limit: int = 3

    def observe(self, block: Any) -> Seen:
        return self._counted(block)

    def _counted(self, block: Any) -> Seen:
        return Seen(min(len(block), self.limit))


def test_no_check_observes_by_a_limit() -> None:
    """What `slice` rests on when it leaves limits out of the key of a partial."""
    assert "limit" in options_read(Mistaken, "observe")
    for name, kind in registry.checks().items():
        read = {o for o in options_read(kind, "observe") if o.endswith("limit")}
        assert not read, f"{name} observes by {read}: give that option another name"
