from __future__ import annotations

from corpusgate.reports.markdown import inline, render


def test_a_check_page_loses_its_title_and_keeps_its_parts():
    text = "# control-chars\n\n## Limits\nA *form* feed:\n\n- one\n- two `x`\n\n```jsonl\n{}\n```\n"
    assert render(text).replace("\n", "") == (
        "<h5>Limits</h5><p>A <em>form</em> feed:</p>"
        "<ul><li>one</li><li>two <code>x</code></li></ul><pre><code>{}</code></pre>"
    )


def test_raw_html_links_and_images_are_text():
    shown = render("<b onclick=x>hi</b> [a](http://e.x/) ![b](http://e.x/i.png) <http://u.v>")
    assert shown == (
        "<p>&lt;b onclick=x&gt;hi&lt;/b&gt; a (http://e.x/) b u.v (http://u.v)</p>"
    ).replace("u.v (", "http://u.v (")


def test_a_table():
    assert render("| a |\n|--:|\n| `1` |").replace("\n", "") == (
        "<table><thead><tr><th>a</th></tr></thead>"
        "<tbody><tr><td><code>1</code></td></tr></tbody></table>"
    )


def test_code_in_a_sentence():
    assert inline("see `a < b` and c") == "see <code>a &lt; b</code> and c"
    assert inline("an unpaired ` is text") == "an unpaired ` is text"
