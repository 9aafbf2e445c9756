"""Containers: streams over members and frames, and what is said of broken ones."""

import bz2
import gzip
import lzma

import pytest
import zstandard

from corpusgate.pipeline.read.container import Stream, compressor

PACK = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": lambda data: zstandard.ZstdCompressor().compress(data),
    "plain": lambda data: data,
}
DATA = b"".join(b'{"text": "line %d"}\n' % i for i in range(5000))


def read(path, **more):
    with Stream(path, **more) as stream:
        parts = []
        while piece := stream.read(1000):
            parts.append(piece)
        return b"".join(parts), stream.container, stream.fault


@pytest.mark.parametrize("container", sorted(PACK))
def test_a_stream_of_two_members_is_one(tmp_path, container):
    path = tmp_path / "data"
    path.write_bytes(PACK[container](DATA) + PACK[container](DATA))
    assert read(path) == (DATA + DATA, container, "")


@pytest.mark.parametrize("container", ["gz", "bz2", "xz", "zst"])
def test_what_stands_before_a_cut_is_read(tmp_path, container):
    path = tmp_path / "data"
    packed = PACK[container](DATA * 40)
    path.write_bytes(packed[: len(packed) * 2 // 3])
    data, _, fault = read(path)
    assert fault == "truncated"
    assert (DATA * 40).startswith(data)


def test_a_wrong_checksum_is_told(tmp_path):
    path = tmp_path / "data"
    packed = bytearray(gzip.compress(DATA))
    packed[-6] ^= 0xFF
    path.write_bytes(packed)
    data, _, fault = read(path)
    assert (data[:100], fault) == (DATA[:100], "corrupt")


def test_padding_behind_the_last_member_is_nothing(tmp_path):
    path = tmp_path / "data"
    path.write_bytes(gzip.compress(DATA) + b"\0" * 1000)
    assert read(path) == (DATA, "gz", "")


def test_a_bomb_is_not_unpacked(tmp_path):
    path = tmp_path / "data"
    path.write_bytes(gzip.compress(b"\0" * (96 << 20)))
    data, _, fault = read(path, max_ratio=200)
    assert fault == "ratio"
    assert len(data) < 40 << 20


@pytest.mark.parametrize("container", sorted(PACK))
def test_a_copy_is_packed_to_the_same_bytes_each_time(tmp_path, container):
    packed = []
    for _ in range(2):
        compress, flush = compressor(container)
        packed.append(compress(DATA) + compress(DATA) + flush())
    assert packed[0] == packed[1]
    (tmp_path / "data").write_bytes(packed[0])
    assert read(tmp_path / "data")[0] == DATA + DATA


@pytest.mark.parametrize("container", sorted(PACK))
def test_skipping_leads_to_the_same_place_as_reading(tmp_path, container):
    path = tmp_path / "data"
    path.write_bytes(PACK[container](DATA))
    with Stream(path) as stream:
        stream.read(10)
        stream.skip(5000)
        assert (stream.offset, stream.read(20)) == (5010, DATA[5010:5030])
