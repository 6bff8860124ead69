# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium and one page in it, over its debugging pipe. Every wait is bounded."""
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

SECONDS = 300


def program():
    """Chromium's path, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """`errors`: what the page's console was told, exceptions and dialogs. `requests`: addresses that it asked for."""

    def __init__(self):
        self.errors, self.requests = [], []
        self.buffer, self.last_id, self.session = b"", 0, None
        self.profile = tempfile.mkdtemp(prefix="hitopo-browser-")
        self._start()
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def _start(self):
        commands, self.to_browser = os.pipe()
        self.from_browser, answers = os.pipe()
        # Away from 3 and 4, which the browser wants.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (commands, answers)]

        def move():
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            [program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe", "--no-first-run",
             "--disable-background-networking", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--window-size=1280,2400", "--user-data-dir=" + self.profile],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=move,
            pass_fds=(3, 4))
        for end in (commands, answers, *ends):
            os.close(end)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        try:
            self.call("Browser.close")
            self.process.wait(20)
        except (OSError, RuntimeError, TimeoutError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _message(self, end):
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.from_browser], [], [], max(end - time.monotonic(), 0))
            if not ready:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.from_browser, 1 << 20)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def _note(self, event):
        what, params = event["method"], event["params"]
        if what == "Runtime.exceptionThrown" or what == "Page.javascriptDialogOpening":
            self.errors.append(json.dumps(params))
        elif what == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
            self.errors.append(json.dumps(params["args"]))
        elif what == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(params["entry"]["text"])
        elif what == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])

    def call(self, method, **params):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while True:
            answer = self._message(end)
            if answer.get("id") == self.last_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            if "method" in answer:
                self._note(answer)

    def evaluate(self, script):
        """The value of a JavaScript expression."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"]))
        return answer["result"].get("value")

    def open(self, path, fragment="", until="document.readyState === 'complete'"):
        self.errors, self.requests = [], []
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url="file://" + os.path.abspath(path) + fragment)
        end = time.monotonic() + SECONDS
        while not self.evaluate(f"location.protocol === 'file:' && ({until})"):
            if time.monotonic() > end:
                raise TimeoutError(f"{path} is not drawn: {self.errors}")
            time.sleep(0.05)
        self.settle()

    def settle(self):
        """Until what was asked for is on the screen."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])
        self.settle()

    def point(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
        self.settle()

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)
        self.settle()
