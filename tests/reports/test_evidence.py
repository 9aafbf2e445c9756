from __future__ import annotations

from corpusgate.reports.evidence import differences, is_comparison, rows


def test_bytes_readings_and_characters():
    shown = dict(
        rows(
            (
                ("bytes", "b4 ba"),
                ("gb18030, 99.9 %", "\u6625"),
                ("U+0000", "16"),
                ("U+0001", "2"),
                ("U+0041", "1"),
            )
        )
    )
    assert shown["bytes"] == '<code class="hex">b4 ba</code>'
    assert shown["gb18030, 99.9 %"] == "<bdi>\u6625</bdi>"
    assert shown['<span class="g" title="NUL U+0000">NUL</span> U+0000'] == "\u00d716"
    assert shown['<span class="g" title="U+0001">U+0001</span>'] == "\u00d72"
    assert "U+0041" in shown


def test_what_was_changed_is_marked_on_both_sides():
    before, after = differences(" Add d\u200b", "Add D")
    assert before == (
        '<bdi class="text"><mark> </mark>Add <mark>d<span class="g" title="ZWSP U+200B">'
        "ZWSP</span></mark></bdi>"
    )
    assert after == '<bdi class="text">Add <mark>D</mark></bdi>'


def test_long_texts_are_shown_without_marks():
    before, after = differences("<a>" * 400, "b")
    assert "<mark>" not in before + after
    assert "&lt;a&gt;" in before


def test_which_evidence_stands_in_lines():
    assert is_comparison((("before", "a"), ("after", "b")))
    assert not is_comparison((("step", "171"),))
