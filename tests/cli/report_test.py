"""Opens the HTML report of `sudar check` in a real browser: sorts, filters, turns a view, on a wide and on a narrow screen.
Standard library only; skipped where there is no Chromium.

usage: report_test.py PATH_OF_SUDAR [PICTURE.png]
"""

import base64
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
SUDAR = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "sudar"
PICTURE = sys.argv.pop(1) if len(sys.argv) > 1 else None
from check_test import ball, box, obj  # noqa: E402

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Page:
    """One page of a headless browser, spoken to through its debugging protocol."""

    def __init__(self, url, folder):
        self.process = subprocess.Popen(
            [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--user-data-dir=" + folder,
             "about:blank"], stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            found = re.search(r"ws://([^:/]+):(\d+)/", line)
            if found:
                break
        host, port = found.groups()
        pages = json.load(urllib.request.urlopen("http://%s:%s/json" % (host, port), timeout=30))
        path = next(p["webSocketDebuggerUrl"] for p in pages if p["type"] == "page").split(port, 1)[1]
        self.socket = socket.create_connection((host, int(port)), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(("GET %s HTTP/1.1\r\nHost: %s:%s\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             "Sec-WebSocket-Key: %s\r\nSec-WebSocket-Version: 13\r\n\r\n" % (path, host, port, key)).encode())
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += self.socket.recv(1)
        self.number = 0
        self.errors = []
        self.call("Runtime.enable")
        self.call("Page.enable")
        self.call("Page.navigate", url=url)
        for _ in range(200):
            if self.value("document.readyState") == "complete" and self.value("location.href") != "about:blank":
                break
            time.sleep(0.05)

    def read(self, count):
        data = b""
        while len(data) < count:
            part = self.socket.recv(count - len(data))
            if not part:
                raise EOFError
            data += part
        return data

    def message(self):
        text = b""
        while True:
            first, second = self.read(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self.read(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self.read(8))[0]
            text += self.read(length)
            if first & 128:
                return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        data = json.dumps({"id": self.number, "method": method, "params": parameters}).encode()
        size = struct.pack("B", 128 | len(data)) if len(data) < 126 else struct.pack(">BH", 254, len(data))
        self.socket.sendall(b"\x81" + size + b"\0\0\0\0" + data)
        while True:
            answer = self.message()
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(answer["params"]["exceptionDetails"]["text"])
            if answer.get("id") == self.number:
                return answer["result"]

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def close(self):
        self.socket.close()
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()


@unittest.skipIf(BROWSER is None, "there is no Chromium")
class Report(unittest.TestCase):
    def test_open_sort_filter_turn(self):
        with tempfile.TemporaryDirectory() as folder:
            parts = [("plate", box((0, 0, 0), (4, 4, 0.5))), ("bolt", box((1, 1, 0.5), 0.3)), ("ball", ball((-1.6, -1.2, 1), 1, 24)),
                     ("core", ball((-1.6, -1.2, 1), 0.3)), ("<b>odd</b> & \"name\"", box((3, -3, 0.7), 0.4)),
                     ("alone_" + 9 * "name_without_an_end_", box((99, 0, 0), 1))]
            with open(os.path.join(folder, "a.obj"), "wb") as file:
                file.write(obj(parts))
            subprocess.run([SUDAR, "check", "a.obj", "--per-part", "--format", "html", "-o", "r.html"], cwd=folder,
                           stderr=subprocess.DEVNULL, timeout=120)
            page = Page("file://" + os.path.join(folder, "r.html"), os.path.join(folder, "profile"))
            try:
                self.look_at(page)
            finally:
                page.close()

    def look_at(self, page):
        names = "[...document.querySelectorAll('#list tbody tr')].map(r=>r.children[1].textContent+'/'+r.children[2].textContent)"
        rows = page.value(names)
        self.assertEqual(len(rows), 4)
        self.assertIn('plate/<b>odd</b> & "name"', rows)
        # Sorted by amount at first; by name on a click, the other way on the next
        page.value("document.querySelectorAll('#list th')[2].click()")
        by_name = page.value(names)
        page.value("document.querySelectorAll('#list th')[2].click()")
        self.assertEqual(page.value(names), by_name[::-1])
        self.assertNotEqual(by_name, by_name[::-1])
        # Filtered by name and by type
        page.value("document.querySelector('#filter').value='bolt';document.querySelector('#filter').oninput()")
        self.assertEqual(page.value(names), ["plate/bolt"])
        page.value("document.querySelector('#filter').value='';document.querySelector('#filter').oninput()")
        page.value("[...document.querySelectorAll('#types input')].at(-1).click()")
        self.assertLess(len(page.value(names)), 4)
        page.value("[...document.querySelectorAll('#types input')].at(-1).click()")
        # The matrix and the views
        self.assertGreater(page.value("document.querySelectorAll('#matrix td.hit').length"), 3)
        page.value("document.querySelector('.card').scrollIntoView()")
        for _ in range(100):
            if page.value("!!document.querySelector('.card canvas').view"):
                break
            time.sleep(0.05)
        pixels = ("(()=>{const c=document.querySelector('.card canvas'),p=c.getContext('2d').getImageData(0,0,c.width,c.height)"
                  ".data;let h=0,n=0;for(let i=0;i<p.length;i+=4){h=(h*31+p[i]*7+p[i+1]*5+p[i+2])|0;if(p[i]>p[i+2]+40||"
                  "p[i+2]>p[i]+40)n++}return[h,n]})()")
        before = page.value(pixels)
        # Both parts are drawn: some of the view has their colours
        self.assertGreater(before[1], 5000)
        page.value("(()=>{const v=document.querySelector('.card canvas').view;const e=v.canvas,r=e.getBoundingClientRect();"
                   "e.setPointerCapture=()=>{};for(const[t,x]of[['pointerdown',50],['pointermove',120],['pointerup',120]])"
                   "e.dispatchEvent(new PointerEvent(t,{pointerId:1,clientX:r.left+x,clientY:r.top+60}));v.draw()})()")
        self.assertNotEqual(page.value(pixels)[0], before[0])
        # The wheel scrolls the page until a view was clicked; a finger always does
        wheel = ("(()=>{const v=document.querySelector('.card canvas').view,r=v.radius;const e=new WheelEvent('wheel',{deltaY:300,"
                 "cancelable:true});v.canvas.dispatchEvent(e);return[e.defaultPrevented,v.radius!==r]})()")
        self.assertEqual(page.value(wheel), [True, True])
        page.value("document.querySelector('.card canvas').dispatchEvent(new PointerEvent('pointerleave',{pointerType:'mouse'}))")
        self.assertEqual(page.value(wheel), [False, False])
        self.assertEqual(page.value("getComputedStyle(document.querySelector('.card canvas')).touchAction"), "pan-y")
        # On paper nothing behind a long name is cut off
        cut = "[...document.querySelectorAll('.scroll')].filter(e=>e.scrollWidth>e.clientWidth+1&&!e.querySelector('#matrix')).length"
        page.call("Emulation.setEmulatedMedia", media="print")
        page.call("Emulation.setDeviceMetricsOverride", width=700, height=990, deviceScaleFactor=1, mobile=False)
        self.assertEqual(page.value(cut), 0)
        page.call("Emulation.setEmulatedMedia", media="screen")
        # Nothing sticks out on a phone, and nothing comes from the network
        page.call("Emulation.setDeviceMetricsOverride", width=390, height=844, deviceScaleFactor=2, mobile=True)
        self.assertLessEqual(page.value("document.documentElement.scrollWidth"), 390)
        self.assertEqual(page.value(cut), 0)
        self.assertEqual(page.value("performance.getEntriesByType('resource').length"), 0)
        self.assertEqual(page.errors, [])
        if PICTURE:
            page.call("Emulation.setDeviceMetricsOverride", width=1100, height=1500, deviceScaleFactor=1, mobile=False)
            page.value("scrollTo(0,0)")
            time.sleep(0.5)
            with open(PICTURE, "wb") as file:
                file.write(base64.b64decode(page.call("Page.captureScreenshot")["data"]))


if __name__ == "__main__":
    unittest.main()
