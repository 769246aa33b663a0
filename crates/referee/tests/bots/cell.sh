# A cell that misbehaves in one chosen way: sh cell.sh WAY [FILE]. Apart from that it rests, or moves where it is to be
# distinguished from a resting one. What it leaves behind it names on its standard error as `left PID START`.
way=$1

# Names a process by its number and the time of its start.
left() {
    read -r stat <"/proc/$1/stat"
    set -- $stat
    echo "left $1 ${22}" >&2
}

# One input of a cell that stays alive: its first line is read, the others are skipped.
next() {
    # BEGIN ends without a newline when nothing follows it.
    read -r first || [ "$first" ] || exit 0
    case $first in
    BEGIN) input=BEGIN ;;
    END) case $way in *END*) exec sleep 600 ;; *) exit 0 ;; esac ;;
    *)
        input=dish
        rows=$((${first#* } + 2))
        while [ $rows -gt 0 ]; do read -r _; rows=$((rows - 1)); done
        ;;
    esac
}

case $way in
loop*)
    count=0
    while :; do
        next
        if [ $input = BEGIN ]; then echo 4 8 0 LOOP; continue; fi
        count=$((count + 1))
        case $way in
        'loop dies') exit 3 ;;
        'loop dies later') [ $count -lt 3 ] || exit 3; echo MOVE E ;;
        'loop twice') printf 'MOVE E\nMOVE E\n' ;;
        'loop hangs') sleep 600 ;;
        'loop closes its output') exec >&-; sleep 600 ;;
        'loop explains itself at length') printf 'REST '; head -c 4000 /dev/zero | tr '\0' A; echo ;;
        'loop floods') head -c 5000 /dev/zero | tr '\0' A; echo ;;
        'loop keeps a state') if [ $((count % 2)) = 0 ]; then echo MOVE E; else echo REST; fi ;;
        *) echo REST ;;
        esac
    done
    ;;
esac

case $way in
'does not read') echo REST; exit ;;
esac
input=$(cat)
if [ "$input" = BEGIN ]; then
    case $way in
    'begin: hang') exec sleep 600 ;;
    'begin: hang after it') echo 4 8 0; exec sleep 600 ;;
    'begin: crash') kill -SEGV $$ ;;
    'begin: fail') exit 3 ;;
    'begin: silent') exit 0 ;;
    'begin: flood') exec yes ;;
    'begin: say '*) echo "${way#begin: say }" ;;
    'begin: fail after it') echo 4 8 0; exit 3 ;;
    *) echo 4 8 0 ;;
    esac
    exit
fi
case $way in
hang) exec sleep 600 ;;
'hang after it') echo MOVE E; exec sleep 600 ;;
'hang against SIGTERM') trap '' TERM; sleep 600 ;;
crash) kill -SEGV $$ ;;
'crash after it') echo MOVE E; kill -SEGV $$ ;;
fail) echo 'no idea what to do' >&2; exit 3 ;;
'fail after it') echo REST; exit 3 ;;
silent) ;;
flood) exec yes ;;
'5000 bytes') head -c 5000 /dev/zero | tr '\0' A ;;
'explain at length') printf 'REST '; head -c 4000 /dev/zero | tr '\0' A ;;
'talk at length') head -c 4000 /dev/zero | tr '\0' '\001' ;;
'attack with many digits') printf 'ATTACK E '; head -c 4000 /dev/zero | tr '\0' 0; echo 2 ;;
'noise on stderr') head -c 300000 /dev/zero | tr '\0' x >&2; echo the end >&2; echo REST ;;
'binary') printf '\377\000MOVE E' ;;
'eat memory') exec python3 -c 'import time; block = bytearray(b"x") * (300 << 20); time.sleep(600)' ;;
'daemon') setsid sleep 600 >&- & left $!; echo REST ;;
'child') sleep 600 & left $!; echo REST ;;
'count') echo "REST ${#input}" ;;
'keep a state')
    seen=$(cat "$2" 2>/dev/null)
    echo "${seen}x" >"$2"
    if [ $((${#seen} % 2)) = 0 ]; then echo MOVE E; else echo REST; fi
    ;;
'draw from the seed') if [ $((AGON_SEED % 2)) = 0 ]; then echo MOVE E; else echo MOVE W; fi ;;
'say '*) printf "${way#say }" ;;
*) echo REST ;;
esac
