from __future__ import annotations

import json
from pathlib import Path

import pytest
from columnar.audits import audit, bytes_of, groups_of, rows_of, surveyed, undone
from datasets import (
    ClassLabel,
    Dataset,
    Features,
    Sequence,
    Value,
    disable_progress_bars,
    load_from_disk,
)
from datasets.splits import SplitDict, SplitInfo

from corpusgate.pipeline.clean import CleanOptions
from corpusgate.pipeline.read.columnar_hash import same_rows
from corpusgate.text.policy import CharacterPolicy

disable_progress_bars()
FEATURES = Features(
    {
        "text": Value("string"),
        "label": ClassLabel(names=["no", "yes"]),
        "n": Sequence(Value("int8")),
    }
)
ROWS = {
    "text": ["a\x00", "b", "\x7f", "d", "e\x01", "f"], "label": [0, 1, 0, 1, 0, 1],
    "n": [[1], [], [2], [3], [4], [5]],
}  # fmt: skip


def saved(path: Path, rows: dict[str, list] = ROWS, shards: int = 2) -> Path:
    dataset = Dataset.from_dict(rows, features=FEATURES, split="train")
    splits = {
        "train": SplitInfo("train", num_bytes=999, num_examples=6, shard_lengths=[6]),
        "test": SplitInfo("test", num_bytes=11, num_examples=1),
    }
    dataset.info.splits = SplitDict(splits)
    dataset.info.dataset_size, dataset.info.download_size = 1010, 5
    dataset.info.size_in_bytes = 1015
    dataset.info.description = "what it is"
    dataset.save_to_disk(str(path), num_shards=shards)
    return path


def stated(path: Path) -> list[bytes]:
    return [bytes_of(path)[name] for name in ("dataset_info.json", "state.json")]


def refusing(path: Path, folder: Path, **read: object) -> Path:
    return audit(path, folder, CleanOptions(CharacterPolicy(delete="refuse")), **read).clean


def test_clean_copy_loads_with_the_same_features_and_true_numbers(tmp_path: Path) -> None:
    path = saved(tmp_path / "a")
    clean = refusing(path, tmp_path / "audit")
    before, after = load_from_disk(str(path)), load_from_disk(str(clean))
    assert after.features == before.features == FEATURES
    assert after["text"][:] == ["a", "b", "d", "e", "f"]
    assert after.split == before.split
    assert after.info.description == "what it is"
    split = after.info.splits["train"]
    assert (split.num_examples, split.shard_lengths) == (5, None)
    assert split.num_bytes == sum(b.nbytes for b in after.data.table.to_batches())
    assert after.info.splits["test"].num_examples == 1
    assert after.info.dataset_size == split.num_bytes + 11
    assert after.info.size_in_bytes == after.info.dataset_size + 5
    assert set(bytes_of(clean)) == set(bytes_of(path))


def test_fingerprint_follows_from_the_content(tmp_path: Path) -> None:
    path = saved(tmp_path / "a")
    prints = [
        json.loads(bytes_of(clean)["state.json"])["_fingerprint"]
        for clean in (
            path, refusing(path, tmp_path / "b", segment=1), refusing(path, tmp_path / "c"),
            audit(path, tmp_path / "d").clean,
        )
    ]  # fmt: skip
    assert prints[1] == prints[2]
    assert len(set(prints)) == 3
    assert all(len(p) == len(prints[0]) for p in prints)


def test_undo_gives_the_folder_back(tmp_path: Path) -> None:
    path = saved(tmp_path / "a")
    done = audit(path, tmp_path / "audit", CleanOptions(CharacterPolicy(delete="refuse")))
    assert [entry.field for entry in done.entries if entry.record < 0] == [
        "dataset_info.json", "state.json",
    ]  # fmt: skip
    assert {entry.row_group for entry in done.entries if entry.record >= 0} == {0, 1}
    again = undone(done, tmp_path / "again")
    assert same_rows(again, path)
    assert stated(again) == stated(path)


def test_shard_that_loses_all_its_rows(tmp_path: Path) -> None:
    rows = {**ROWS, "text": ["\x7f", "\x7f", "\x7f", "d", "e\x01", "\x7f"]}
    path = saved(tmp_path / "a", rows)
    done = audit(path, tmp_path / "audit", CleanOptions(CharacterPolicy(delete="refuse")))
    assert load_from_disk(str(done.clean))["text"][:] == ["d", "e"]
    again = undone(done, tmp_path / "again")
    assert same_rows(again, path)
    assert groups_of(again) == groups_of(path) == [(0, 3), (1, 3)]


def test_folder_without_rows_has_its_schema_from_the_features(tmp_path: Path) -> None:
    path = saved(tmp_path / "a", {name: [] for name in ROWS}, shards=0)
    assert not list(path.glob("*.arrow"))
    profile = surveyed(path)
    assert (profile.fault, profile.records, profile.text) == ("", 0, ("text",))
    assert bytes_of(audit(path, tmp_path / "audit").clean) == bytes_of(path)


def test_hash_covers_what_the_state_names(tmp_path: Path) -> None:
    path = saved(tmp_path / "a")
    profile = surveyed(path)
    assert profile.file_bytes == sum(len(data) for data in bytes_of(path).values())
    (path / "cache-1.arrow").write_bytes(b"left by a map")
    assert surveyed(path).file_sha256 == profile.file_sha256
    info = json.loads((path / "dataset_info.json").read_text())
    (path / "dataset_info.json").write_text(json.dumps({**info, "license": "mine"}))
    assert surveyed(path).file_sha256 != profile.file_sha256


def test_folders_that_cannot_be_read(tmp_path: Path) -> None:
    path = saved(tmp_path / "a")
    state = json.loads((path / "state.json").read_text())
    (tmp_path / "b.arrow").write_bytes((path / state["_data_files"][0]["filename"]).read_bytes())
    for change in (
        {"_data_files": [{"filename": "../b.arrow"}]}, {"_data_files": [{"filename": "none"}]},
        {"_indices_data_files": [{"filename": "i.arrow"}]}, {"_data_files": "x"},
    ):  # fmt: skip
        (path / "state.json").write_text(json.dumps({**state, **change}))
        assert surveyed(path).fault.startswith("unreadable: "), change
    (path / "state.json").write_text("{")
    assert surveyed(path).fault.startswith("unreadable: ")


@pytest.mark.parametrize("segment", [1, 1 << 20])
def test_feature_types_are_kept(tmp_path: Path, segment: int) -> None:
    path = saved(tmp_path / "a")
    clean = refusing(path, tmp_path / "audit", segment=segment)
    rows = rows_of(clean)
    assert [row["n"] for row in rows] == [[1], [], [3], [4], [5]]
    assert [row["label"] for row in rows] == [0, 1, 1, 0, 1]
