#!/usr/bin/python3
"""hashcat cracks a hash of its own example in each mode, after the self-test it makes of the mode's kernels, and finds a password
of lower-case letters by going through all of them."""
import hashlib
import json
import os
import re
import tempfile

from client import DEVICE, main, run, test

# Fast and slow hashes of every family: raw, salted, HMAC, of systems, of databases, key derivation, of archives and wallets.
MODES = (0, 10, 20, 50, 60, 100, 110, 120, 150, 160, 300, 400, 500, 900, 1000, 1100, 1300, 1400, 1410, 1420, 1450, 1500, 1600, 1700, 1710, 1750,
         1800, 2100, 2400, 2600, 3000, 3200, 3710, 4400, 4500, 5100, 5500, 5600, 6000, 6100, 6900, 7400, 7500, 7900, 8900, 9100, 9200,
         9300, 9400, 9600, 9900, 10000, 10100, 10800, 10900, 11100, 11300, 11600, 11700, 11800, 12000, 12400, 13100, 13400, 14000,
         15700, 16800, 17300, 17600, 21000, 22000)


def hashcat(home, *options, ok=(0,)):
    # With folders of its own it meets no other hashcat, and no kernels that another build of the driver compiled.
    own = {"XDG_DATA_HOME": home, "XDG_CACHE_HOME": home}
    return run("hashcat", "-D", "1,2,3", "-d", DEVICE + 1, "--potfile-disable", "--quiet", "--force", *options, env=own, ok=ok)


def example(mode):
    """What a file of hashcat's example of a mode has in it, and the password."""
    out = run("hashcat", "-m", mode, "--hash-info", "--machine-readable")
    info = json.loads(out[out.index("{"):])[str(mode)]
    text = info["example_hash"]
    if info["example_hash_format"] == "hex-encoded" and re.fullmatch("([0-9a-f]{2})+", text):
        return bytes.fromhex(text), info["example_pass"]
    return text.encode() + b"\n", info["example_pass"]


def crack(mode):
    with tempfile.TemporaryDirectory() as home:
        text, password = example(mode)
        hashes, words, found = (os.path.join(home, n) for n in ("hashes", "words", "found"))
        with open(hashes, "wb") as f:
            f.write(text)
        with open(words, "w") as f:
            f.write("".join(f"wrong{i}\n" for i in range(50)) + password + "\n" + "".join(f"again{i}\n" for i in range(50)))
        hashcat(home, "-m", mode, "-a", 0, "-o", found, "--outfile-format", 2, hashes, words)
        got = open(found).read().splitlines()
        assert got and got[0] in (password, f"$HEX[{password.encode().hex()}]"), f"error: found {got}, not {password}"


for mode in MODES:
    def one(mode=mode):
        crack(mode)
    one.__name__ = f"mode_{mode}"
    test(one)


@test
def brute_force():
    """Four letters, among 456976 candidates: in two kinds of hash, checked against Python's own."""
    for mode, f in ((0, hashlib.md5), (1400, hashlib.sha256)):
        for password in ("aaaa", "qzjx", "zzzz"):
            with tempfile.TemporaryDirectory() as home:
                found = os.path.join(home, "found")
                hashcat(home, "-m", mode, "-a", 3, "-o", found, "--outfile-format", 2, f(password.encode()).hexdigest(), "?l?l?l?l")
                assert open(found).read() == password + "\n"
    with tempfile.TemporaryDirectory() as home:
        hashcat(home, "-m", 0, "-a", 3, hashlib.md5(b"ABCD").hexdigest(), "?l?l?l?l", ok=(1,))


main()
