#===- browser.py - Opens a report's page in headless Chromium --------------===#
#
# Part of the PIT project, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===-----------------------------------------------------------------------===#
"""Opens PAGE from its file and says what is on it: browser.py CHROMIUM PAGE [CLICK] [PICTURE.jpg].

CLICK is a selector of what is clicked, with the mouse. Speaks the DevTools
protocol over a pipe, so that nothing but Python's library is needed. Prints
what the page asked of the network, errors of the console, and what is shown."""

import base64
import json
import os
import select
import subprocess
import sys
import tempfile
import time

TIMEOUT = 60


class Browser:
    def __init__(self, chromium, profile):
        theirs, ours_out = os.pipe()
        ours_in, theirs_out = os.pipe()

        def place():
            # The protocol is on these two, whatever they were.
            os.dup2(theirs, 103), os.dup2(theirs_out, 104)
            os.dup2(103, 3), os.dup2(104, 4)

        self.process = subprocess.Popen(
            [chromium, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--disable-dev-shm-usage", "--window-size=1500,1000", f"--user-data-dir={profile}", "about:blank"],
            close_fds=False, preexec_fn=place, pass_fds=(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs), os.close(theirs_out)
        self.out, self.into, self.buffer, self.number, self.events = ours_out, ours_in, b"", 0, []
        self.session = None

    def read(self, deadline):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.into], [], [], max(0, deadline - time.monotonic()))
            part = os.read(self.into, 1 << 16) if ready else b""
            if not part:
                sys.exit("the browser does not answer")
            self.buffer += part
        message, _, self.buffer = self.buffer.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + TIMEOUT
        while True:
            answer = self.read(deadline)
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                sys.exit(f"{method}: {answer['error']}")
            else:
                return answer["result"]

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in result:
            sys.exit(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, expression):
        deadline = time.monotonic() + TIMEOUT
        while not self.evaluate(expression):
            if time.monotonic() > deadline:
                sys.exit(f"never true: {expression}")
            time.sleep(0.05)

    def close(self):
        self.session = None
        try:
            self.call("Browser.close")
        except (OSError, SystemExit):
            self.process.kill()
        self.process.wait(TIMEOUT)


def visit(browser, page, click, picture):
    target = browser.call("Target.createTarget", url="about:blank")["targetId"]
    browser.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    for domain in ("Page", "Runtime", "Log", "Network"):
        browser.call(f"{domain}.enable")
    browser.call("Page.navigate", url="file://" + os.path.abspath(page))
    browser.wait("document.readyState === 'complete' && location.protocol === 'file:'")
    print("title:", browser.evaluate("document.title"))
    print("summary:", browser.evaluate("document.getElementById('summary').textContent"))
    print("error:", browser.evaluate("document.getElementById('error').textContent"))
    for what in (".op", ".lines", ".linked", "canvas.share", ".bar", "#launches tr", "#timeline .lane", "table", "img", "script"):
        print(f"{what}: {browser.evaluate(f'document.querySelectorAll({json.dumps(what)}).length')}")
    # Lines of a level that are longer than what its pane can be scrolled to, and values that are none.
    print("cut lines:", browser.evaluate(
        "[...document.querySelectorAll('.lines')].flatMap(lines => [...lines.querySelectorAll('.linked')].filter("
        "line => line.checkVisibility({contentVisibilityAuto: true}) && line.scrollWidth > lines.parentNode.scrollWidth)).length"))
    print("no values:", browser.evaluate(
        "[...document.querySelectorAll('#summary, td, th, #body p, figcaption, .lane span')].filter("
        "node => /\\b(NaN|Infinity|undefined|null)\\b/.test(node.textContent)).length"))
    print("drawn:", browser.evaluate(
        "[...document.querySelectorAll('canvas.share')].filter(c => new Set(c.getContext('2d').getImageData(0, 0,"
        " c.width, c.height).data).size > 2).length"))
    if click:
        box = browser.evaluate(f"(() => {{ const node = document.querySelector({json.dumps(click)});"
                               " node.scrollIntoView({block: 'center'}); const box = node.getBoundingClientRect();"
                               # Lines of a level are wider than what is seen of them.
                               " return [box.left + Math.min(box.width / 2, 60), box.top + box.height / 2]; })()")
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            browser.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1],
                         button="none" if kind == "mouseMoved" else "left", clickCount=0 if kind == "mouseMoved" else 1)
            if kind == "mouseMoved":
                # In how many levels something lights up before anything is clicked.
                print("hot levels:", browser.evaluate("[...document.querySelectorAll('.lines')].filter(lines => lines.querySelector('.hot')).length"))
        print("pinned:", browser.evaluate("document.querySelectorAll('.pinned').length"))
        print("details:", browser.evaluate("document.getElementById('details').innerText").replace("\n", "\n  "))
    if picture:
        with open(picture, "wb") as file:
            # Those of docs/screenshots, which need not be sharp.
            shot = browser.call("Page.captureScreenshot", format="jpeg", quality=60)
            file.write(base64.b64decode(shot["data"]))
    # What came in meanwhile.
    browser.evaluate("0")
    errors = [event for event in browser.events
              if event["method"] == "Runtime.exceptionThrown"
              or (event["method"] == "Runtime.consoleAPICalled" and event["params"]["type"] in ("error", "warning"))
              or (event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] in ("error", "warning"))]
    for error in errors:
        print("console:", json.dumps(error["params"]))
    urls = [event["params"]["request"]["url"] for event in browser.events if event["method"] == "Network.requestWillBeSent"]
    print("requests:", len(urls), *(url.split(":")[0] for url in urls))
    print("console errors:", len(errors))
    return 1 if errors else 0


def main():
    chromium, page, click, picture = (sys.argv[1:] + [None, None])[:4]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(chromium, profile)
        try:
            return visit(browser, page, click, picture)
        finally:
            browser.close()


if __name__ == "__main__":
    sys.exit(main())
