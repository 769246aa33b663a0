//! Small programs to play with.

use std::fs;
use std::path::Path;

/// A program that passes whenever it is asked and records each start in a file next to it.
pub const PASSER: &str = r#"
echo started >> "$0.starts"
while read -r word rest; do
    case $word in
        READY) echo OK ;;
        TURN) echo MOVE -1 -1 ;;
        FINISH) [ "$1" = stay ] || exit 0 ;;
    esac
done
"#;

/// A program that passes, and notes at READY on which processors it may run.
pub const BOUND: &str = r#"
while read -r word rest; do
    case $word in
        READY)
            while read -r name value; do
                [ "$name" != Cpus_allowed_list: ] || echo "$value" >> "$0.processors"
            done < /proc/$$/status
            echo OK
            ;;
        TURN) echo MOVE -1 -1 ;;
        FINISH) [ "$1" = stay ] || exit 0 ;;
    esac
done
"#;

/// A program that exits when it is asked for a move.
pub const QUITTER: &str = r#"
while read -r word rest; do
    case $word in
        READY) echo OK ;;
        TURN) echo "I give up" >&2; exit 3 ;;
    esac
done
"#;

/// Writes a script and returns the agent's text.
pub fn script(folder: &Path, name: &str, text: &str, argument: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    format!("sh {} {argument}", path.display())
}
