"""Discover: files, folders and patterns to sources; splits from names."""

import os

import pytest

from corpusgate.pipeline.discover import discover, is_data


def touch(root, *names):
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")


def found(root, *inputs):
    out = discover([(str(path), split) for path, split in inputs or [(root, "")]])
    return [(source.split, source.name) for source in out.sources], out


@pytest.mark.parametrize(
    ("names", "splits"),
    [
        (["train.jsonl", "val.jsonl", "test.jsonl"], ["train", "val", "test"]),
        (["a.jsonl", "b.csv"], ["train", "train"]),
        (["data/train-00000-of-00002.parquet", "data/train-00001-of-00002.parquet"], ["train"] * 2),
        (["validation.json", "training.json"], ["train", "val"]),
        (["dev/x.txt", "train/x.txt"], ["train", "val"]),
        (["val.txt", "val_long.txt", "train.txt"], ["train", "val", "val_long"]),
        (["val-00000.txt", "val-00001.txt"], ["val", "val"]),
        (["poems_train.csv", "poems_eval.csv"], ["train", "val"]),
    ],
)
def test_splits_are_guessed_from_names(tmp_path, names, splits):
    touch(tmp_path, *names)
    assert [split for split, _ in found(tmp_path)[0]] == splits


def test_a_split_that_is_stated_is_not_guessed(tmp_path):
    touch(tmp_path, "val.jsonl")
    assert found(tmp_path, (tmp_path / "val.jsonl", "train"))[0] == [("train", "val.jsonl")]


def test_files_beside_the_data_are_left_out(tmp_path):
    touch(tmp_path, "README.md", "LICENCE.txt", "corpusgate.toml", ".hidden.jsonl", "a.jsonl")
    assert found(tmp_path)[0] == [("train", "a.jsonl")]
    assert is_data("poem.zh")
    assert not is_data("dataset_info.json")


def test_a_pattern_gives_its_matches_and_a_pattern_without_any_is_an_error(tmp_path):
    touch(tmp_path, "a.jsonl", "b.jsonl", "c.csv")
    names, _ = found(tmp_path, (tmp_path / "*.jsonl", ""))
    assert [name for _, name in names] == ["a.jsonl", "b.jsonl"]
    _, out = found(tmp_path, (tmp_path / "*.parquet", ""))
    assert "no file matches" in out.errors[0]


def test_loops_links_and_fifos_in_a_folder_are_told_and_left_out(tmp_path):
    touch(tmp_path, "real.jsonl")
    (tmp_path / "self").symlink_to(tmp_path)
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    (tmp_path / "again.jsonl").symlink_to(tmp_path / "real.jsonl")
    os.mkfifo(tmp_path / "pipe.jsonl")
    names, out = found(tmp_path)
    assert len(names) == 1
    assert len(out.warnings) == 5
    assert not out.errors


def test_what_is_named_outright_and_cannot_be_read_is_an_error(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")
    touch(tmp_path, "a.jsonl")
    names, out = found(
        tmp_path,
        (tmp_path / "pipe.jsonl", ""),
        (tmp_path / "no.jsonl", ""),
        (tmp_path / "a.jsonl", ""),
    )
    assert names == [("train", "a.jsonl")]
    assert ["FIFO" in out.errors[0], "no such file" in out.errors[1]] == [True, True]


def test_two_sources_of_one_name_stay_two(tmp_path):
    touch(tmp_path, "x/data.jsonl", "y/data.jsonl")
    names, _ = found(tmp_path, (tmp_path / "x/data.jsonl", ""), (tmp_path / "y/data.jsonl", ""))
    assert names == [("train", "x/data.jsonl"), ("train", "y/data.jsonl")]
