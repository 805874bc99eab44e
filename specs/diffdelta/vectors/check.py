#!/usr/bin/env python3
"""Recomputes the vectors of this folder with nothing but Python's standard library.

    python3 check.py [folder]

Prints how many vectors hold; exits 1 and names those that do not.
"""

import hashlib
import json
import pathlib
import re
import sys

BUCKETS = ["new", "updated", "removed", "flagged"]


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def sha256(text):
    return "sha256:" + hashlib.sha256(text.encode("utf-8")).hexdigest()


def cursor_text(feed):
    items = [item for bucket in BUCKETS for item in feed["buckets"].get(bucket, [])]
    tuples = sorted([item["source"], item["id"], item["provenance"]["content_hash"]] for item in items)
    return canonical([sorted(feed["sources_included"])] + tuples)


def unsealed(text):
    return re.sub(r'\A\{"hash":"sha256:[0-9a-f]{64}",', "{", text)


def main(folder):
    wrong = []
    held = 0

    def expect(name, got, wanted):
        nonlocal held
        if got == wanted:
            held += 1
        else:
            wrong.append(name)

    def read(name):
        return json.loads((folder / name).read_text("utf-8"))

    for vector in read("cursor.json"):
        text = cursor_text(vector["feed"])
        expect("cursor text: " + vector["name"], text, vector["text"])
        expect("cursor: " + vector["name"], sha256(text), vector["cursor"])
    for vector in read("feed-hash.json"):
        expect("feed hash: " + vector["name"], sha256(unsealed(vector["text"])), vector["hash"])
        expect("hash inside: " + vector["name"], json.loads(vector["text"])["hash"], vector["hash"])
    hashes = read("content-hash.json")
    for vector in hashes["live"]:
        text = canonical({key: vector[key] for key in ("url", "content", "revision")})
        expect("content hash text: " + vector["name"], text, vector["text"])
        expect("content hash: " + vector["name"], sha256(text), vector["content_hash"])
    for vector in hashes["removed"]:
        text = canonical({"removed": True, "last": vector["last"]})
        expect("tombstone text: " + vector["name"], text, vector["text"])
        expect("tombstone: " + vector["name"], sha256(text), vector["content_hash"])

    for name in wrong:
        print("wrong: " + name)
    print(f"{held} hold, {len(wrong)} do not")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent))
