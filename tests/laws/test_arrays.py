"""JSON arrays stay JSON arrays when elements are set aside, whichever they are."""

import itertools
import json

import pytest
from laws.corpora import folder, job_of, run, stream_of, write

from corpusgate.pipeline.rebuild import undo

ELEMENTS = (b'{"text": "kept"}', b'"no object"', b'{"text": "\xff\xfe\x81\xff"}')


@pytest.mark.parametrize("tail", [b"]", b"] \n", b"]\nbehind it"])
@pytest.mark.parametrize("picks", list(itertools.product(range(3), repeat=3)))
def test_what_is_left_of_an_array_loads(picks, tail):
    data = b"[ " + b" ,\n".join(ELEMENTS[i] for i in picks) + b" " + tail
    with folder() as root:
        write(root / "in", {"train.json": data})
        run(job_of(root / "in", root / "audit"))
        left = json.loads((root / "audit/clean/train/train.json").read_bytes())
        assert left == [{"text": "kept"}] * picks.count(0)
        undo(root / "audit", root / "back")
        assert stream_of(root / "back/train/train.json") == data
