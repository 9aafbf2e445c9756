"""The page in a browser: what it draws, what it refuses, how it fits its window."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
import sample_report

from corpusgate.reports.page import page

BROWSER = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chrome"))), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-sync "
    "--disable-background-networking --disable-component-update --hide-scrollbars "
    "--allow-file-access-from-files "
    "--enable-logging=stderr --virtual-time-budget=4000 --dump-dom"
)

# Measures the page in windows of several widths; it lies outside the page, whose own policy
# lets no script run.
RULER = """<!doctype html><body><script>
const widths = [360, 390, 768, 850, 1280];
for (const width of widths) {
  const frame = document.createElement("iframe");
  frame.width = width; frame.height = 900; frame.src = "page.html";
  frame.onload = () => {
    const root = frame.contentDocument.documentElement;
    const shown = [...root.querySelectorAll("svg")].filter(svg => svg.getClientRects().length);
    const small = [...root.querySelectorAll("svg text")]
      .filter(text => text.getClientRects().length)
      .map(text => 12 * text.getScreenCTM().a);
    const told = document.createElement("p");
    told.textContent = `${width}: scroll ${root.scrollWidth}, drawn ${shown.length}, `
      + `letters ${Math.min(...small).toFixed(1)} to ${Math.max(...small).toFixed(1)}`;
    document.body.append(told);
  };
  document.body.append(frame);
}
</script></body>"""


def browse(path: Path) -> tuple[str, list[str]]:
    """The document as the browser has it, and what the console says."""
    assert BROWSER
    profile = path.with_suffix(".profile")
    done = subprocess.run(
        [BROWSER, *FLAGS.split(), f"--user-data-dir={profile}", path.as_uri()],
        check=True,
        capture_output=True,
        timeout=120,
    )
    console = [
        line for line in done.stderr.decode("utf-8", "replace").splitlines() if "CONSOLE" in line
    ]
    return done.stdout.decode(), console


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("browser")
    (path / "page.html").write_text(page(sample_report.report()), encoding="utf-8")
    return path


def test_the_page_is_drawn_and_the_console_is_silent(folder: Path):
    dom, console = browse(folder / "page.html")
    assert console == []
    assert "<h1>Gate shut: 2 limits broken</h1>" in dom
    assert dom.count("<svg") == 8
    assert dom.count('<path d="M') > 8
    assert dom.count('id="') == len(set(re.findall(r'id="([^"]*)"', dom)))


def test_its_policy_lets_nothing_run_or_load(folder: Path):
    spoiled = (
        (folder / "page.html")
        .read_text("utf-8")
        .replace("<main>", '<main><script>document.title="ran"</script><img src="page.html">')
    )
    (folder / "spoiled.html").write_text(spoiled, encoding="utf-8")
    dom, console = browse(folder / "spoiled.html")
    assert "<title>ran</title>" not in dom
    assert len([line for line in console if "Content Security Policy" in line]) >= 2


def test_it_fits_windows_of_any_width_with_letters_of_one_size(folder: Path):
    (folder / "ruler.html").write_text(RULER, encoding="utf-8")
    dom, _ = browse(folder / "ruler.html")
    found = re.findall(r"(\d+): scroll (\d+), drawn (\d+), letters ([\d.]+) to ([\d.]+)", dom)
    assert sorted(int(width) for width, *_ in found) == [360, 390, 768, 850, 1280]
    for width, scroll, drawn, small, large in found:
        assert int(scroll) <= int(width), width
        assert int(drawn) == 4, width
        assert 9.5 <= float(small) <= float(large) <= 17, width
