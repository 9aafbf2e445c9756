"""Names of sources as files: below their folder, whatever bytes they are of."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from corpusgate.errors import InputError
from corpusgate.pipeline.places import named, place

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", ["train/../../x", "..", "/etc/passwd", "clean/../../../x"])
def test_a_name_that_leads_out_of_the_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no audit left that") as caught:
        place(tmp_path, name)
    assert caught.value.slug == "damaged-result"


def test_a_name_is_its_bytes(tmp_path: Path) -> None:
    path = place(tmp_path, "train/\u79cb..jsonl")
    assert os.fsencode(path) == os.fsencode(tmp_path) + "/train/\u79cb..jsonl".encode()
    assert named("\u79cb\udcff.txt") == "\u79cb\\xff.txt"
