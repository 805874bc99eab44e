#!/usr/bin/env python3
"""Recomputes what can be computed of these vectors with nothing but Python's standard library.

    python3 check.py [folder]

Canonical JSON, signatures (an Ed25519 of its own: slow, not for secrets) and the hashes of the manifest.
Prints how many hold; exits 1 and names those that do not.
"""

import base64
import hashlib
import json
import math
import pathlib
import re
import struct
import sys
from decimal import Decimal

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def number(value):
    """As ECMAScript prints a double."""
    if not math.isfinite(value):
        raise ValueError("not finite")
    if value == 0:
        return "0"
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    text = "".join(map(str, digits))
    point = len(text) + exponent
    minus = "-" if sign else ""
    if len(text) <= point <= 21:
        return minus + text + "0" * (point - len(text))
    if 0 < point <= 21:
        return minus + text[:point] + "." + text[point:]
    if -6 < point <= 0:
        return minus + "0." + "0" * -point + text
    mantissa = text[0] + ("." + text[1:] if len(text) > 1 else "")
    return minus + mantissa + "e" + ("+" if point > 0 else "-") + str(abs(point - 1))


def canonical(value):
    if isinstance(value, float):
        return number(value)
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    if isinstance(value, dict):
        return "{" + ",".join(text(key) + ":" + canonical(value[key]) for key in sorted(value)) + "}"
    return text(value)


def text(value):
    return json.dumps(value, ensure_ascii=False)


def read_json(source):
    return json.loads(source, parse_int=float)


def double(bits):
    return struct.unpack(">d", bytes.fromhex(bits))[0]


def is_refused(vector):
    if "input" in vector:
        value = read_json(vector["input"])
    elif "within" in vector:
        value = [read_json(vector["within"].replace("$", "0")), double(vector["double"])]
    else:
        value = double(vector["double"])
    try:
        canonical(value).encode("utf-8")
    except ValueError:
        return True
    return False


def add(left, right):
    x1, y1, z1, t1 = left
    x2, y2, z2, t2 = right
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = 2 * D * t1 * t2 % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(factor, point):
    total = (0, 1, 1, 0)
    while factor:
        if factor & 1:
            total = add(total, point)
        point = add(point, point)
        factor >>= 1
    return total


def encode(point):
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(encoded):
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def sha512(*parts):
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little")


def is_signed(public_key, message, signature):
    key = decode(public_key)
    s = int.from_bytes(signature[32:], "little")
    if key is None or s >= L:
        return False
    x, y, z, t = times(sha512(signature[:32], public_key, message) % L, key)
    return encode(add(times(s, BASE), (P - x, y, z, P - t))) == signature[:32]


def sign(seed, message):
    digest = hashlib.sha512(seed).digest()
    scalar = int.from_bytes(digest[:32], "little") & (2**254 - 8) | 2**254
    public_key = encode(times(scalar, BASE))
    r = sha512(digest[32:], message) % L
    point = encode(times(r, BASE))
    s = (r + sha512(point, public_key, message) * scalar) % L
    return public_key, point + s.to_bytes(32, "little")


def decode_signature(written):
    bare = re.sub(r"[\t\n\r ]+", "", written)
    if not re.fullmatch(r"[A-Za-z0-9_-]{86}", bare):
        return None
    decoded = base64.urlsafe_b64decode(bare + "==")
    return decoded if write_signature(decoded) == bare else None


def write_signature(signature):
    return base64.urlsafe_b64encode(signature).decode("ascii").rstrip("=")


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

    for name, wanted in read("manifest.json")["sha256"].items():
        expect("hash of " + name, hashlib.sha256((folder / name).read_bytes()).hexdigest(), wanted)

    canonicalization = read("canonicalization.json")
    for vector in canonicalization["values"]:
        got = canonical(read_json(vector["input"]))
        expect("canonical: " + vector["name"], got, vector["canonical"])
        expect("bytes: " + vector["name"], got.encode("utf-8").hex(), vector["hex"])
    for vector in canonicalization["doubles"]:
        expect(vector["name"], canonical(double(vector["double"])), vector["canonical"])
    for vector in canonicalization["refused"]:
        expect("refused: " + vector["name"], is_refused(vector), True)

    for vector in read("signatures.json"):
        public_key, message = bytes.fromhex(vector["public-key"]), bytes.fromhex(vector["bytes"])
        signature = decode_signature(vector["sig"])
        got = signature is not None and is_signed(public_key, message, signature)
        expect("signature: " + vector["name"], got, vector["valid"])
        if "seed" in vector:
            made = sign(bytes.fromhex(vector["seed"]), message)
            expect("signing: " + vector["name"], (made[0], write_signature(made[1])), (public_key, vector["sig"]))

    for name in wrong:
        print("wrong: " + name)
    print(f"{held} hold, {len(wrong)} do not")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent))
