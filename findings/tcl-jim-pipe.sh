#!/bin/sh
# Tcl and Jim Tcl run the same script and differ in a pipe: `puts` of Tcl 8.6.13 arrives line by line there (standard output has
# `-buffering line` even in a pipe), `puts` of Jim 0.81 when its buffer is full or at the end.
# A filter written for one of them hangs its reader in the other; `flush stdout` mends it in both.
#
# Seen: Tcl answers each line at once, Jim within 3 s nothing and both answers at the end of the input. Fails if that changes.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -q download tcl8.6=8.6.13+dfsg-2 libtcl8.6=8.6.13+dfsg-2 jimsh=0.81+dfsg0-2 libjim0.81=0.81+dfsg0-2 \
    > download.log 2>&1 || { cat download.log >&2; exit 2; }
for package in *.deb; do dpkg -x "$package" root; done
library=$(dirname "$(find root -name 'libtcl8.6.so*' | head -n 1)")
export LD_LIBRARY_PATH="$work/$library" TCL_LIBRARY="$work/root/usr/share/tcltk/tcl8.6"
cat > echo.tcl <<'END'
while {[gets stdin line] >= 0} { puts "got $line" }
END
cat > look.py <<'END'
import os, select, subprocess, sys


def seen(shell):
    tcl = subprocess.Popen([shell, "echo.tcl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def arrives(seconds):
        return os.read(tcl.stdout.fileno(), 99).decode() if select.select([tcl.stdout], [], [], seconds)[0] else None

    answers = []
    for line in (b"one\n", b"two\n"):
        tcl.stdin.write(line)
        tcl.stdin.flush()
        answers.append(arrives(3 if "jimsh" in shell else 60))
    tcl.stdin.close()
    return answers + [arrives(60)]


tcl, jim = (seen(f"root/usr/bin/{name}") for name in ("tclsh8.6", "jimsh"))
print("tclsh 8.6.13:", tcl)
print("jimsh 0.81:  ", jim)
sys.exit(tcl != ["got one\n", "got two\n", ""] or jim != [None, None, "got one\ngot two\n"])
END
python3 look.py
