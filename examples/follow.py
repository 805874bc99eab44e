"""Keeps an index of sections equal to a site: reads the lines that `tidings follow --content` prints.

    npx tidings follow https://docs.example/ --state docs.db --once --content | python3 follow.py
    python3 follow.py npx tidings follow https://docs.example/ --state docs.db --once --content
"""

import json
import subprocess
import sys

index = {}


def apply(event):
    """Drop what is stored under the boundary of the event, then store what it says now."""
    if event.get("unchanged"):
        return
    for part in event.get("sections") or [event]:
        url, anchor = event["url"], part.get("anchor")
        for key in [key for key in index if key[0] == url and anchor in (None, key[1])]:
            del index[key]
        if part["action"] != "delete":
            index[url, anchor] = part.get("markdown", "")


def read(lines):
    for line in lines:
        event = json.loads(line)
        apply(event)
        print(event["action"], event["boundary"], flush=True)
    print(f"{len(index)} entries")


if len(sys.argv) == 1:
    read(sys.stdin)
else:
    with subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True) as follower:
        read(follower.stdout)
    sys.exit(follower.returncode)
