"""Commands that work on data: audit and its stages, undo."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from corpusgate.cli.progress import Bars
from corpusgate.cli.terminal import one_line, tell
from corpusgate.config import Config, load
from corpusgate.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

    from corpusgate.api.job import Job

Inputs = Annotated[
    list[str] | None, typer.Argument(metavar="[DIR | FILE...]", help="A folder, files, patterns.")
]
Train = Annotated[list[str] | None, typer.Option("--train", help="Files of the train split.")]
Val = Annotated[list[str] | None, typer.Option("--val", help="Files of the val split.")]
Test = Annotated[list[str] | None, typer.Option("--test", help="Files of the test split.")]
Out = Annotated[Path, typer.Option("--out", help="Folder of the results.")]
From = Annotated[
    list[Path] | None, typer.Option("--from", help="Folder of earlier stages; repeatable.")
]
ConfigFile = Annotated[Path | None, typer.Option("--config", help="corpusgate.toml to use.")]
Tokenizer = Annotated[str | None, typer.Option("--tokenizer", help="A tokenizer.json.")]
Context = Annotated[int | None, typer.Option("--context", help="Context length in tokens.")]
Text = Annotated[list[str] | None, typer.Option("--text", help="Field that holds the text.")]
Label = Annotated[str | None, typer.Option("--label", help="Field that holds the label.")]
Engine = Annotated[str, typer.Option("--engine", help="serial or processes.")]
Workers = Annotated[int, typer.Option("--workers", min=0, help="Processes; 0: one a core.")]
Ablate = Annotated[
    bool | None, typer.Option("--ablate/--no-ablate", help="Train a proxy; default: if it can.")
]
Device = Annotated[str | None, typer.Option("--device", help="auto, cpu or cuda.")]
Smoke = Annotated[bool, typer.Option("--smoke", help="A few dozen steps, to see that it runs.")]
Order = Annotated[str | None, typer.Option("--order", help="file, shuffled:SEED or a path.")]
Export = Annotated[
    bool, typer.Option("--export/--no-export", help="Write records.parquet, with the texts.")
]
OUT = Path("audit")


@dataclass(frozen=True)
class Asked:
    """What the command line says of a job."""

    inputs: list[str] | None = None
    train: list[str] | None = None
    val: list[str] | None = None
    test: list[str] | None = None
    out: Path = OUT
    start: list[Path] | None = None
    config: Path | None = None
    text: list[str] | None = None
    label: str | None = None
    engine: str = "serial"
    workers: int = 0
    tokenizer: str | None = None
    context: int | None = None
    ablate: dict[str, Any] | None = None
    export: bool = False

    def job(self, bars: Bars, *, needs_input: bool = True) -> Job:
        """The job, with the options of the command line over those of the configuration."""
        from corpusgate.api.job import Job
        from corpusgate.pipeline.engine import engine_of

        pairs = [(path, "") for path in self.inputs or ()]
        for split in ("train", "val", "test"):
            pairs += [(path, split) for path in getattr(self, split) or ()]
        if not pairs and not self.start and needs_input:
            raise ConfigError("no-input", "nothing to read: name a folder or files")
        if self.engine not in {"serial", "processes"}:
            raise ConfigError("engine", f"--engine {self.engine}: use serial or processes")
        device = (self.ablate or {}).get("device")
        if device not in {None, "auto", "cpu", "cuda"}:
            raise ConfigError("device", f"--device {device}: use auto, cpu or cuda")
        folder = next((Path(p) for p, _ in pairs if Path(p).is_dir()), Path())
        config = self._over(load(self.config, folder))
        return Job(
            tuple(pairs), self.out, config, tuple(self.start or ()),
            engine_of(self.engine, self.workers), bars, bars.say, self.export,
        )  # fmt: skip

    def _over(self, config: Config) -> Config:
        changes: dict[str, Any] = {}
        if self.text or self.label:
            changes["input"] = replace(
                config.input,
                text=tuple(self.text or config.input.text),
                label=self.label or config.input.label,
            )
        if self.tokenizer is not None or self.context is not None:
            path = self.tokenizer and str(Path(self.tokenizer).resolve())
            changes["tokenize"] = replace(
                config.tokenize,
                tokenizer=path or config.tokenize.tokenizer,
                context=self.context if self.context is not None else config.tokenize.context,
            )
        if held := {k: v for k, v in (self.ablate or {}).items() if v is not None}:
            changes["ablate"] = replace(config.ablate, **held)
        return config.model_copy(update=changes) if changes else config


def _flag(wanted: bool | None) -> str | None:
    return None if wanted is None else "on" if wanted else "off"


def audit(  # noqa: PLR0913, PLR0917
    inputs: Inputs = None, train: Train = None, val: Val = None, test: Test = None,
    tokenizer: Tokenizer = None, context: Context = None, ablate: Ablate = None,
    device: Device = None, smoke: Smoke = False, order: Order = None, text: Text = None,
    label: Label = None, engine: Engine = "serial", workers: Workers = 0,
    config: ConfigFile = None, out: Out = OUT,
) -> int:  # fmt: skip
    """Run every stage and the gate; DIR's splits are guessed from names."""
    from corpusgate.api.audit import audit as run
    from corpusgate.api.run_file import write_run
    from corpusgate.reports.text import summary

    spend = {"run": _flag(ablate), "device": device, "smoke": smoke or None, "order": order}
    asked = Asked(
        inputs, train, val, test, out, None, config, text, label, engine, workers, tokenizer,
        context, spend,
    )  # fmt: skip
    with Bars() as bars:
        job = asked.job(bars)
        with write_run(job):
            done = run(job)
    tell(summary(done.report, str(out / "report.html")))
    return done.exit_code


def _mapped(name: str, summary: str) -> Callable[..., int]:
    def command(  # noqa: PLR0913, PLR0917
        inputs: Inputs = None, train: Train = None, val: Val = None, test: Test = None,
        tokenizer: Tokenizer = None, context: Context = None, text: Text = None,
        label: Label = None, engine: Engine = "serial", workers: Workers = 0,
        config: ConfigFile = None, start: From = None, out: Out = OUT,
    ) -> int:  # fmt: skip
        asked = Asked(
            inputs, train, val, test, out, start, config, text, label, engine, workers,
            tokenizer, context,
        )  # fmt: skip
        return _map(name, asked)

    command.__doc__ = summary
    return command


def decode(  # noqa: PLR0913, PLR0917
    inputs: Inputs = None, train: Train = None, val: Val = None, test: Test = None,
    text: Text = None, label: Label = None, engine: Engine = "serial", workers: Workers = 0,
    config: ConfigFile = None, start: From = None, export: Export = True, out: Out = OUT,
) -> int:  # fmt: skip
    """Survey and decode; writes records.parquet, one row per record with its text."""
    asked = Asked(
        inputs, train, val, test, out, start, config, text, label, engine, workers, export=export
    )
    return _map("decode", asked)


def _map(name: str, asked: Asked) -> int:
    from corpusgate.api import stages
    from corpusgate.api.run_file import write_run

    with Bars() as bars:
        job = asked.job(bars)
        with write_run(job):
            corpus = stages.STAGES[name](job)
    records = sum(corpus.documents.values())
    sources = len(corpus.profiles)
    tell(f"{records:,} records of {sources:,} sources: {one_line(asked.out)}\n")
    return 0


def ablate(  # noqa: PLR0913, PLR0917
    inputs: Inputs = None, train: Train = None, text: Text = None, label: Label = None,
    device: Device = None, smoke: Smoke = False, order: Order = None, engine: Engine = "serial",
    workers: Workers = 0, config: ConfigFile = None, start: From = None, out: Out = OUT,
) -> int:  # fmt: skip
    """Train a small proxy model and ask which records its loss spikes come from.

    With --from the configuration decides whether it is trained, as in an audit.
    """
    from corpusgate.api import stages
    from corpusgate.api.run_file import write_run

    wanted = None if start else "on"
    spend = {"run": wanted, "device": device, "smoke": smoke or None, "order": order}
    asked = Asked(
        inputs, train, None, None, out, start, config, text, label, engine, workers,
        ablate=spend,
    )  # fmt: skip
    with Bars() as bars:
        job = asked.job(bars)
        with write_run(job):
            lines = stages.ablate(job)
    tell("".join(f"{one_line(line)}\n" for line in lines))
    return 0


def report(
    inputs: Inputs = None, config: ConfigFile = None, start: From = None, out: Out = OUT
) -> int:
    """Write the page, report.json, metrics.json and findings.parquet from earlier stages."""
    from corpusgate.api import stages
    from corpusgate.reports.text import summary

    asked = Asked(inputs, out=out, start=start or [out], config=config)
    with Bars() as bars:
        found = stages.report(asked.job(bars))
    tell(summary(found, str(out / "report.html")))
    return 0


def gate(  # noqa: PLR0913, PLR0917
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of an audit.")] = OUT,
    policy: Annotated[Path | None, typer.Option("--policy", help="corpusgate.toml to use.")] = None,
    evaluator: Annotated[str, typer.Option("--evaluator", help="native or gx.")] = "native",
    form: Annotated[str, typer.Option("--format", help="text or json.")] = "text",
    start: From = None,
    out: Annotated[Path | None, typer.Option("--out", help="Folder of gate.json.")] = None,
) -> int:
    """Hold an audit to its limits; exits 0 pass, 1 fail, 2 error, 3 nothing to audit."""
    from corpusgate.api.below import run_gate
    from corpusgate.pipeline.gate import to_json
    from corpusgate.reports.verdict import verdict

    if evaluator not in {"native", "gx"}:
        raise ConfigError("evaluator", f"--evaluator {evaluator}: use native or gx")
    if form not in {"text", "json"}:
        raise ConfigError("format", f"--format {form}: use text or json")
    asked = Asked(out=out or folder, start=[*(start or ()), folder], config=policy)
    with Bars() as bars:
        found = run_gate(asked.job(bars, needs_input=False), evaluator)
    tell(to_json(found) if form == "json" else verdict(found))
    return found.exit_code


def undo(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder of an audit or clean.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the sources.")],
) -> int:
    """Give the sources back from the clean copy, the ledger and the quarantine."""
    from corpusgate.pipeline.rebuild import undo as give_back

    written = give_back(folder, out)
    tell(f"{len(written):,} sources: {one_line(out)}\n")
    return 0


MAPPED = {
    "clean": "Write the clean copy, the ledger of every edit and the quarantine.",
    "tokenize": "Measure lengths, hashes, tokens and round trips of the cleaned records.",
    "compare": "Hold each split against train: lengths, tokens or words, labels.",
}


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("audit")(audit)
    app.command("decode")(decode)
    for name, summary in MAPPED.items():
        app.command(name)(_mapped(name, summary))
    app.command("ablate")(ablate)
    app.command("report")(report)
    app.command("gate")(gate)
    app.command("undo")(undo)
