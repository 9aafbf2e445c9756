"""Laws 1, 2 and 4: nothing lost, everything reversible, cleaning the clean copy does nothing."""

import json

import pyarrow.parquet as pq
from hypothesis import given
from laws.corpora import folder, job_of, run, stream_of, tree, write
from laws.sources import sources

from corpusgate.pipeline.rebuild import undo


@given(source=sources())
def test_a_source_is_rebuilt_from_the_outputs_alone(source):
    name, stream, data = source
    with folder() as root:
        write(root / "in", {name: data})
        corpus = run(job_of(root / "in", root / "audit", segment=64))
        profile = corpus.profiles[0]
        (root / "in" / name).unlink()
        undo(root / "audit", root / "back")
        if not profile.format:  # taken for binary: nothing was read of it
            assert profile.fault
            return
        assert stream_of(root / "back" / profile.key) == stream


@given(source=sources())
def test_records_read_are_kept_or_set_aside(source):
    name, _, data = source
    with folder() as root:
        write(root / "in", {name: data})
        corpus = run(job_of(root / "in", root / "audit", segment=64))
        rows = pq.read_table(root / "audit" / "records").num_rows
        held = json.loads((root / "audit" / "account.json").read_text())
        kept = pq.read_table(root / "audit" / "tokens" / "tokens.parquet")["kept"].to_pylist()
        away = sum(source["quarantined"] for source in held.values())
        assert rows == len(kept) == sum(p.records for p in corpus.profiles)
        assert rows == sum(kept) + away
        assert all(source["rebuilt"] in (True, None) for source in held.values())


@given(source=sources())
def test_cleaning_the_clean_copy_changes_nothing(source):
    name, _, data = source
    with folder() as root:
        write(root / "in", {name: data})
        run(job_of(root / "in", root / "audit"))
        first = tree(root / "audit" / "clean")
        run(job_of(root / "audit" / "clean", root / "again"))
        ledger = pq.read_table(root / "again" / "ledger.parquet").to_pylist()
        second = tree(root / "again" / "clean")
        assert ledger == []
        assert list(first.values()) == list(second.values())
