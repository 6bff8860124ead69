# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""A headless Chromium and one page in it, driven by Selenium. Every wait is bounded."""
import json
import os
import shutil

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.support.ui import WebDriverWait
except ImportError:
    webdriver = None

SECONDS = 300
NEEDED = ("chromium", "chromedriver")
PACKAGES = "chromium, chromium-driver, python3-selenium"


def missing():
    """What this machine lacks, or None."""
    absent = [program for program in NEEDED if not shutil.which(program)]
    return absent[0] if absent else "selenium" if webdriver is None else None


class Browser:
    def __init__(self):
        options = webdriver.ChromeOptions()
        options.binary_location, driver = map(shutil.which, NEEDED)
        for switch in ("headless=new", "no-sandbox", "disable-gpu", "no-first-run", "disable-background-networking",
                       "disable-dev-shm-usage", "hide-scrollbars", "window-size=1280,2400"):
            options.add_argument("--" + switch)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        options.set_capability("unhandledPromptBehavior", "ignore")  # a dialog makes the next command fail
        self.driver = webdriver.Chrome(service=Service(driver), options=options)
        self.driver.set_page_load_timeout(SECONDS)
        self.driver.set_script_timeout(SECONDS)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()

    def errors(self):
        """What the console was told since this was asked last, and exceptions."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if entry["level"] == "SEVERE" or entry["level"] == "WARNING" and entry["source"] == "console-api"]

    def requests(self):
        """Addresses that were asked for since this was asked last."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def evaluate(self, script):
        """The value of a JavaScript expression; of a promise, what it gives."""
        return self.driver.execute_script(f"return ({script})")

    def open(self, path, fragment="", until="document.readyState === 'complete'"):
        self.driver.get("about:blank")
        self.errors(), self.requests()
        self.driver.get("file://" + os.path.abspath(path) + fragment)
        WebDriverWait(self.driver, SECONDS).until(lambda _: self.evaluate(until), f"{path} is not drawn")
        self.settle()

    def settle(self):
        """Until what was asked for is on the screen."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def _tell(self, method, **params):
        self.driver.execute_cdp_cmd(method, params)
        self.settle()

    def scheme(self, name):
        self._tell("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def point(self, x, y):
        self._tell("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self._tell("Input.dispatchKeyEvent", type=kind, key=key, code=key)
