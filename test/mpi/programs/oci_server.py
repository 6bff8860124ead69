#!/usr/bin/env python3
# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
"""oci_server.py PLACE PORT: a metadata service whose answer is the file PLACE, at /place; other paths answer wrongly, each in
its way. Its port is written into the file PORT. It ends after an hour at the latest."""
import http.server
import os
import signal
import sys
import time

WRONG = {
    "/garbage": b"<html>{",
    "/types": b'{"customerLocalBlock": {"a": 1}, "customerHPCIslandId": [7]}',
    "/empty": b"",
    "/huge": b'{"customerLocalBlock": "' + b"x" * (16 << 20) + b'"}',
    "/hostile": b'\x1b[31m{"customerLocalBlock": 1}',
}


class Service(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.headers["Authorization"] != "Bearer Oracle" or self.path.startswith("http:"):
            return self.send_error(403)
        if self.path == "/place":
            with open(sys.argv[1], "rb") as place:
                return self.answer(200, place.read())
        if self.path == "/redirect":
            return self.answer(302, b"", ("Location", "/place"))
        if self.path == "/silence":
            return time.sleep(600)
        if self.path == "/drip":
            return self.drip()
        if self.path == "/cut":
            return self.answer(200, b"{", ("Content-Length", "700"))
        if self.path in WRONG:
            return self.answer(200, WRONG[self.path])
        return self.send_error(404)

    def answer(self, status, body, *headers):
        self.send_response(status)
        for header in headers or [("Content-Length", str(len(body)))]:
            self.send_header(*header)
        self.end_headers()
        self.wfile.write(body)

    def drip(self):
        self.send_response(200)
        self.send_header("Content-Length", "6000")
        self.end_headers()
        for _ in range(6000):
            self.wfile.write(b" ")
            self.wfile.flush()
            time.sleep(0.1)

    def log_message(self, *_):
        pass


signal.alarm(3600)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
server.daemon_threads = True
with open(sys.argv[2] + ".new", "w", encoding="ascii") as port:
    port.write(str(server.server_address[1]))
os.rename(sys.argv[2] + ".new", sys.argv[2])
server.serve_forever()
