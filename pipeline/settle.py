"""Settle: from the surveys of an audit to the profile of each source."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from corpusgate.pipeline.read.assemble import valid
from corpusgate.pipeline.read.csv_fields import values
from corpusgate.pipeline.read.fields import find_label, find_text
from corpusgate.text.encodings import EncodingProfile, read, settle

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corpusgate.pipeline.decode import DecodeOptions
    from corpusgate.pipeline.read.options import ReadOptions
    from corpusgate.pipeline.read.profile import Profile
    from corpusgate.pipeline.survey import Surveyed


def settle_all(
    surveys: Sequence[Surveyed], options: DecodeOptions, read_options: ReadOptions
) -> tuple[Profile, ...]:
    """The profiles of an audit, with each source's set of encodings settled.

    A source with fewer invalid records than `options.pool` lends from its folder's pool.
    """
    folders: dict[str, list[bytes]] = {}
    for s in surveys:
        folders.setdefault(_folder(s.profile), []).extend(s.pool)
    settled: dict[str, EncodingProfile] = {}
    done = []
    for s in surveys:
        found = EncodingProfile()
        if s.invalid >= options.pool:
            found = settle(s.pool, options.reading)
        elif s.invalid:
            folder = _folder(s.profile)
            if folder not in settled:
                settled[folder] = settle(folders[folder], options.reading)
            found = settled[folder]
        done.append(_columns(replace(s.profile, encodings=found), s.header, options, read_options))
    return tuple(done)


def _folder(profile: Profile) -> str:
    return profile.key.rpartition("/")[0]


def _columns(
    profile: Profile, header: bytes, options: DecodeOptions, read_options: ReadOptions
) -> Profile:
    """Column names of a CSV source, decoded, and the text and label among them."""
    if profile.format != "csv" or not header:
        return profile
    if valid(header):
        names = header.decode("utf-8")
    else:
        reading = read([header], profile.encodings, options.reading)[0]
        names = reading.text or header.decode("utf-8", "replace")
    columns = tuple(values(names.encode(), profile.delimiter))
    shown = [dict.fromkeys(columns, "")]
    return replace(
        profile,
        columns=columns,
        text=read_options.text or find_text(shown),
        label=read_options.label or find_label(shown),
    )
