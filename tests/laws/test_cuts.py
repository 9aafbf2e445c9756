"""Laws 3 and 5: no cut, order or engine of the work shows in a byte of any output."""

import random
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from laws.corpora import folder, job_of, run, tree, write
from laws.sources import sources

from corpusgate.api.corpus import MAPPED, open_corpus
from corpusgate.api.stages import run_mapped
from corpusgate.pipeline import map as pipeline_map
from corpusgate.pipeline.engine import Processes


def corpus_of(drawn):
    files = {}
    for i, (name, _, data) in enumerate(drawn):
        files[f"{'val' if i % 3 == 2 else 'train'}/{i}-{name}"] = data
    return files


class Shuffled:
    """An engine that takes the units in another order, and gives them back in theirs."""

    def __init__(self, seed):
        self.seed = seed
        self.units = 0

    def map(self, function, items):
        order = list(range(len(items)))
        random.Random(self.seed).shuffle(order)
        done = {}
        for i in order:
            done[i] = function(items[i])
        self.units = max(self.units, len(items))
        return iter([done[i] for i in range(len(items))])


def outputs(root, name, **more):
    """Every output of the map over root/in, run in a folder of its own."""
    out = root / name / "audit"
    run(job_of(root / "in", out, **more))
    return tree(out)


@given(drawn=st.lists(sources(), min_size=1, max_size=4), seed=st.integers(0, 99))
def test_any_cut_in_any_order_gives_the_same_bytes(drawn, seed):
    with folder() as root:
        write(root / "in", corpus_of(drawn))
        whole = outputs(root, "whole")
        engine = Shuffled(seed)
        was = pipeline_map.Mapper.__dataclass_fields__["unit_bytes"].default
        job = job_of(root / "in", root / "cut" / "audit", segment=24, engine=engine)
        corpus = open_corpus(job)
        assert was > 1 << 20
        small = replace(job.mapper(), unit_bytes=24)
        run_mapped(job, corpus, MAPPED, MAPPED, mapper=small)
        cut = tree(root / "cut" / "audit")
        # the cut points are part of the survey, and of nothing else
        for held in (whole, cut):
            held.pop("sources.parquet")
        assert whole.keys() == cut.keys()
        assert [name for name in whole if whole[name] != cut[name]] == []


def test_many_units_are_really_cut_and_shuffled():
    lines = b"".join(b'{"text": "record %d \\u0000"}\n' % i for i in range(200))
    with folder() as root:
        write(root / "in", {"train.jsonl": lines})
        engine = Shuffled(3)
        job = job_of(root / "in", root / "cut" / "audit", segment=64, engine=engine)
        small = replace(job.mapper(), unit_bytes=64)
        run_mapped(job, open_corpus(job), MAPPED, MAPPED, mapper=small)
        assert engine.units >= 20
        whole, cut = outputs(root, "whole"), tree(root / "cut" / "audit")
        assert whole["ledger.parquet"] == cut["ledger.parquet"]
        assert whole["records/records.parquet"] == cut["records/records.parquet"]


def test_fields_are_found_alike_however_a_source_is_cut():
    broken = b'{"id": 0, "text":\n' * 30 + b'{"id": 1, "text": "whole"}\n'
    long = b'{"text": "' + b"x" * (3 << 20) + b'"}\n{"text": "short"}\n'
    for data in (broken, long):
        with folder() as root:
            write(root / "in", {"train.jsonl": data})
            found = [
                open_corpus(job_of(root / "in", root / "audit", segment=size)).profiles[0].text
                for size in (24, 1 << 16, 4 << 20)
            ]
            assert found == [("text",)] * 3


def test_processes_leave_the_same_bytes_as_one():
    lines = b"".join(b'{"text": "record %d \\u200b", "label": "x"}\n' % i for i in range(300))
    gbk = "".join(f"\u6a21\u578b\u8bad\u7ec3 {i}\n" for i in range(40)).encode("gb18030")
    with folder() as root:
        write(root / "in", {"train/a.jsonl": lines, "train/b.txt": gbk, "val/c.jsonl": lines[:900]})
        serial = outputs(root, "serial")
        job = job_of(root / "in", root / "two" / "audit", engine=Processes(2))
        small = replace(job.mapper(), unit_bytes=4096)
        run_mapped(job, open_corpus(job), MAPPED, MAPPED, mapper=small)
        assert serial == tree(root / "two" / "audit")


def test_a_second_run_leaves_the_same_bytes():
    lines = b"".join(b'{"text": "record %d \\u0001"}\n' % i for i in range(50))
    with folder() as root:
        write(root / "in", {"train.jsonl": lines})
        assert outputs(root, "one") == outputs(root, "two")
