#!/bin/sh
# Rakudo 2022.12 (Debian 12) sends the first write to a pipe at once and keeps every later one until its buffer is full or the
# program ends, whether `say`, `put` or `print` makes it. A program that is tested with one answer seems to need no flush, and
# one that answers a second time hangs its reader. With `$*OUT.flush` both arrive.
#
# Seen: "one" at once; "two" not within 3 s of being written, but at the end of the input. Fails if that changes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -q download rakudo=2022.12-1 nqp=2022.12+dfsg-1 nqp-data=2022.12+dfsg-1 moarvm=2022.12+dfsg-1 \
    libuv1 libffi8 libtommath1 > download.log 2>&1 || { cat download.log >&2; exit 2; }
for package in *.deb; do dpkg -x "$package" root; done
root=$work/root/usr
library=$(dirname "$(find "$root/lib" -name 'libuv.so.1' | head -n 1)")
export LD_LIBRARY_PATH="$library:$root/lib/moar" NQP_HOME="$root/share/nqp" RAKUDO_HOME="$root/lib/perl6"
cat > look.py <<'END'
import os, select, subprocess, sys


def seen(flush):
    program = f"say 'one'; {flush} $*IN.get; say 'two'; {flush} $*IN.get;"
    raku = subprocess.Popen([sys.argv[1], "-e", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def arrives(seconds):
        return os.read(raku.stdout.fileno(), 99).decode() if select.select([raku.stdout], [], [], seconds)[0] else None

    first = arrives(60)
    raku.stdin.write(b"next\n")
    raku.stdin.flush()
    second = arrives(3 if not flush else 60)
    raku.stdin.close()
    return [first, second, arrives(60)]


plain, flushed = seen(""), seen("$*OUT.flush;")
print("without flush:", plain)
print("with flush:   ", flushed)
sys.exit(plain != ["one\n", None, "two\n"] or flushed != ["one\n", "two\n", ""])
END
"$root/bin/rakudo" --version | head -n 1
python3 look.py "$root/bin/rakudo"
