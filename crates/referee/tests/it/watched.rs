//! The memory limit where no cgroup can be had: it must hold all the same.

use crate::court;

use agon_jail::cgroup;
use agon_referee::verdict::Verdict::{Mle, Ok};
use court::check;

#[test]
fn too_much_memory_is_seen_without_a_cgroup() {
    cgroup::forbid();
    assert_eq!(cgroup::mechanism(), "watched");
    check("eat memory", Mle, "exceeded the memory limit");
    check("eat memory in a child", Mle, "exceeded the memory limit");
    check("eat memory", Mle, ", and the limit is 128 MiB; when last seen: `python3` (process ");
    check("eat memory in a child", Mle, "the largest processes when last seen: `python3` (2 processes) ");
    check("shared memory is counted once", Ok, "");
    check("daemon", Ok, "");
    check("clean daemon", Ok, "");
    check("many children", Ok, "");
}
