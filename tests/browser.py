"""A browser without a window, to look at pages as people's browsers do."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SECONDS = 90
"""A hang guard: looking at a page takes one or two"""

# What is measured in a frame of some size, once its page is there.
_MEASURE = """
function measure(frame) {
  const doc = frame.contentDocument, root = doc.documentElement;
  const shown = e => e.getClientRects().length > 0;
  const letters = [...doc.querySelectorAll('*')].filter(
    e => shown(e) && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()));
  const size = e => {
    const svg = e.closest('svg');
    const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    return parseFloat(frame.contentWindow.getComputedStyle(e).fontSize) * scale;
  };
  const beyond = letters.filter(e => {
    const r = e.getBoundingClientRect();
    return r.left < -1 || r.right > root.clientWidth + 1;
  });
  const title = doc.querySelector('h1');
  const range = doc.createRange();
  range.selectNodeContents(title);
  const words = range.getBoundingClientRect(), box = title.getBoundingClientRect();
  return {
    scroll: root.scrollWidth, width: root.clientWidth, height: root.scrollHeight,
    beyond: beyond.map(e => e.textContent.trim().slice(0, 60)),
    smallest: Math.min(...letters.map(size)),
    drawn: [...doc.querySelectorAll('svg')].filter(shown).length,
    direction: frame.contentWindow.getComputedStyle(title).direction,
    left: words.left - box.left, right: box.right - words.right,
    loaded: frame.contentWindow.performance.getEntriesByType('resource').length,
  };
}
"""


def binary() -> str | None:
    """The browser, if there is one; BASRA_BROWSER names another."""
    named = os.environ.get("BASRA_BROWSER")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


def look(page: str, sizes: list[tuple[int, int]], folder: Path) -> tuple[list[Any], list[str]]:
    """What a page measures in frames of some sizes, and what the browser's console said."""
    frames = "".join(
        f'<iframe width="{width}" height="{height}" style="border:0" '
        f'srcdoc="{html.escape(page)}"></iframe>'
        for width, height in sizes
    )
    script = (
        f"{_MEASURE}\nonload = () => document.getElementById('found').textContent = "
        "JSON.stringify([...document.querySelectorAll('iframe')].map(measure));"
    )
    wrapper = folder / "frames.html"
    wrapper.write_text(
        f'<!DOCTYPE html><meta charset="utf-8"><body>{frames}<pre id="found"></pre>'
        f"<script>{script}</script>",
        encoding="utf-8",
    )
    dom, said = _run(wrapper, folder)
    found = re.search(r'<pre id="found">([^<]+)</pre>', dom)
    assert found, f"the page was not measured: {said[-2000:]}"
    console = [line for line in said.splitlines() if ":CONSOLE" in line]
    return json.loads(html.unescape(found[1])), console


def _run(page: Path, folder: Path) -> tuple[str, str]:
    """The page's elements as they are in the end, and what went to stderr."""
    browser = binary()
    assert browser is not None
    running = subprocess.Popen(
        [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--hide-scrollbars",
            "--no-first-run", "--disable-extensions", "--disable-background-networking",
            f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr", "--v=0",
            "--virtual-time-budget=5000", "--dump-dom", page.as_uri(),
        ],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        encoding="utf-8", errors="replace",
    )  # fmt: skip
    try:
        return running.communicate(timeout=SECONDS)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.communicate()
