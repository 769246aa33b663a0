#!/usr/bin/env python3
"""What visitors who analyse cost a site: the server's processor time, with the engine on the server and in the browser;
the memory of a page that analyses for long; and how long a stop takes. Needs Chromium with its driver, and an `agon` with engines for the
browser (scripts/wasm).

usage: visitors.py AGON [--visitors 50] [--depth 14] [--minutes 0] [--stops 0]
"""

import argparse
import json
import os
import pathlib
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

SHELL = pathlib.Path("/usr/lib/chromium/chromium-headless-shell")
TICK = os.sysconf("SC_CLK_TCK")
# The longest that a search may take to its depth, in seconds.
LIMIT = 600


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def until(condition, what, limit=60):
    end = time.monotonic() + limit
    while not (found := condition()):
        if time.monotonic() > end:
            raise SystemExit(f"visitors.py: {what} took more than {limit} s")
        time.sleep(0.05)
    return found


class Browser:
    """A Chromium with nothing kept from earlier ones."""

    def __init__(self, driver):
        options = {"args": ["--no-sandbox", "--disable-gpu", "--enable-precise-memory-info"]}
        if SHELL.exists():
            options["binary"] = str(SHELL)
        self.driver = f"http://127.0.0.1:{driver}/session"
        wanted = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": options}}}
        self.driver += "/" + self.ask("", wanted)["sessionId"]

    def ask(self, path, body=None, method="POST"):
        data = None if method == "DELETE" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.driver + path, data, {"content-type": "application/json"}, method=method)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def visit(self, address):
        self.ask("/url", {"url": address})

    def of(self, expression):
        return self.ask("/execute/sync", {"script": f"return {expression}", "args": []})

    def close(self):
        self.ask("", method="DELETE")


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICK


def resident_mib(kind, above):
    """Memory of the processes of a kind below a process, in MiB."""
    parents, sizes = {}, {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        parents[int(folder.name)] = int(fields[1])
        if f"--type={kind}" in command:
            sizes[int(folder.name)] = int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def is_below(process):
        while process > 1 and process != above:
            process = parents.get(process, 0)
        return process == above

    return sum(size for process, size in sizes.items() if is_below(process))


DEPTH = "Number(/\\d+/.exec(document.getElementById('progress')?.textContent ?? '')?.[0] ?? 0)"


def analyse(browser, page, place, depth):
    """Opens the page of analysis and waits for a depth."""
    browser.visit(page)
    browser.of(f"localStorage.setItem('agon.engine', '{place}')")
    browser.visit(page + "#game=bacteria")
    until(lambda: browser.of(DEPTH) >= depth, f"an analysis to depth {depth}", LIMIT)


def compare(driver, page, server, visitors, depth):
    # What is packed once, at the first visit, is no visitor's.
    first = Browser(driver)
    analyse(first, page, "here", 1)
    first.close()
    for place in ["server", "here"]:
        before, begun = processor_seconds(server), time.monotonic()
        for _ in range(visitors):
            browser = Browser(driver)
            analyse(browser, page, place, depth)
            browser.close()
        spent, took = processor_seconds(server) - before, time.monotonic() - begun
        print(f"engine {place}: {visitors} analyses to depth {depth} in {took:.0f} s, {spent:.2f} s of the server's "
              f"processor", flush=True)


def remain(driver, process, page, minutes):
    """Lets one page analyse one position of renju after another."""
    browser = Browser(driver)
    # A page of the same site without an engine, for comparison.
    browser.visit(page.removesuffix("/board/analysis"))
    time.sleep(5)
    print(f"without an engine: {resident_mib('renderer', process):.0f} MiB resident", flush=True)
    browser.visit(page)
    browser.of("localStorage.setItem('agon.engine', 'here')")
    browser.visit(page + "#game=renju")
    moves, end, shown = [], time.monotonic() + minutes * 60, 0
    while (now := time.monotonic()) < end:
        time.sleep(5)
        # The move that is best so far, with that the next position; a game that is over begins anew.
        before = browser.of("location.hash")
        browser.of("document.querySelector('#found button.quiet')?.click()")
        moves = [] if browser.of("location.hash") == before else [*moves, before]
        if not moves:
            browser.of("document.getElementById('fresh').click()")
        if now >= shown:
            heap = browser.of("performance.memory.usedJSHeapSize") / 2**20
            print(f"{(now - end) / 60 + minutes:5.1f} min: {resident_mib('renderer', process):.0f} MiB resident, "
                  f"{heap:.1f} MiB of scripts", flush=True)
            shown = now + max(60, minutes * 3)
    browser.close()


STOPS = """
const done = arguments[arguments.length - 1];
const [count, threads] = arguments;
const script = performance.getEntriesByType('resource').find(({ name }) => /\\/engines[^/]*\\.js/.test(name)).name;
const absolute = (address) => new URL(address, document.baseURI).href;
const asked = JSON.parse(document.getElementById('engines').textContent);
const addresses = { ...asked, wasm: absolute(threads > 1 ? asked.threads : asked.wasm), threads: absolute(asked.threads),
  games: absolute(asked.games), worker: absolute(asked.worker),
  files: Object.fromEntries(Object.entries(asked.files).map(([name, address]) => [name, absolute(address)])) };
(async () => {
  const { Engines } = await import(script);
  const engines = new Engines(addresses);
  const answers = [];
  const again = [];
  let stopped = 0;
  for (let at = 0; at <= count; at += 1) {
    const stop = new AbortController();
    const heard = new Promise((resolve) => {
      engines.analyse({ game: 'bacteria', moves: [] }, { signal: stop.signal, threads, seconds: 30, event: resolve })
        .catch(() => { answers.push(performance.now() - stopped); });
    });
    await heard;
    if (at) again.push(performance.now() - stopped);
    await new Promise((resolve) => { setTimeout(resolve, 700); });
    stopped = performance.now();
    stop.abort();
  }
  await new Promise((resolve) => { setTimeout(resolve, 100); });
  engines.close();
  done({ answers, again, isolated: crossOriginIsolated });
})().catch((error) => done({ error: String(error) }));
"""


def stops(driver, page, count):
    """How long a stopped analysis takes to answer, and until the next one has its first line."""
    browser = Browser(driver)
    browser.visit(page)
    time.sleep(5)
    for threads in [1, 2]:
        found = browser.ask("/execute/async", {"script": STOPS, "args": [count, threads]})
        if "error" in found:
            raise SystemExit(f"visitors.py: {found['error']}")
        answers, again = (sorted(found[name]) for name in ["answers", "again"])
        print(f"{threads} thread(s), {len(answers)} stops, isolated: {found['isolated']}: answer within {answers[0]:.1f} to "
              f"{answers[-1]:.1f} ms; first line of the next analysis after {again[0]:.0f} to {again[-1]:.0f} ms, "
              f"median {again[len(again) // 2]:.0f} ms", flush=True)
    browser.close()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("agon")
    arguments.add_argument("--visitors", type=int, default=50)
    arguments.add_argument("--depth", type=int, default=14)
    arguments.add_argument("--minutes", type=float, default=0, help="let one page analyse so long, instead")
    arguments.add_argument("--stops", type=int, default=0, help="stop so many analyses, instead")
    given = arguments.parse_args()
    port, driver_port = free_port(), free_port()
    with tempfile.TemporaryDirectory() as folder:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        serve = [given.agon, "serve", "--data", folder, "--listen", f"127.0.0.1:{port}", "--workers", "0"]
        server = subprocess.Popen(serve, **quiet)
        driver = subprocess.Popen(["chromedriver", f"--port={driver_port}"], **quiet)
        try:
            for asked in [port, driver_port]:
                until(lambda: not socket.socket().connect_ex(("127.0.0.1", asked)), "a start")
            page = f"http://127.0.0.1:{port}/board/analysis"
            if given.stops:
                stops(driver_port, page, given.stops)
            elif given.minutes:
                remain(driver_port, driver.pid, page, given.minutes)
            else:
                compare(driver_port, page, server.pid, given.visitors, given.depth)
        finally:
            server.terminate()
            driver.terminate()
            server.wait()
            driver.wait()


main()
