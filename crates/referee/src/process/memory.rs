//! Measuring the memory of a process tree, where no control group counts it.

use std::fs;

use super::kernel;

/// A process and all its descendants that are still its descendants.
pub fn tree(pid: u32) -> Vec<u32> {
    let mut tree = vec![pid];
    let mut at = 0;
    while at < tree.len() {
        tree.extend(children(tree[at]));
        at += 1;
    }
    tree
}

/// The children of a process, those of all its threads. Empty when it is gone.
pub fn children(pid: u32) -> Vec<u32> {
    let Ok(tasks) = fs::read_dir(format!("/proc/{pid}/task")) else { return Vec::new() };
    let texts = tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
    texts.flat_map(|text| kernel::numbers(&text)).collect()
}

/// Bytes of memory that a set of processes uses: their own and shared anonymous pages, not files they have mapped.
///
/// Processes that share pages after a fork would be counted too high by their sum, so above `limit` they are counted
/// again with each shared page divided among its users. That is slow, and so is done only when it matters.
pub fn used(processes: &[u32], limit: u64) -> u64 {
    let sum = |file: &str, keys: &[&str]| -> u64 {
        processes.iter().map(|pid| kilobytes(*pid, file, keys)).sum::<u64>() << 10
    };
    let resident = sum("status", &["RssAnon:", "RssShmem:"]);
    if resident <= limit || processes.len() == 1 { resident } else { sum("smaps_rollup", &["Pss_Anon:", "Pss_Shmem:"]) }
}

fn kilobytes(pid: u32, file: &str, keys: &[&str]) -> u64 {
    let text = fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let values = text.lines().filter_map(|line| {
        let (key, rest) = line.split_at_checked(line.find(':')? + 1)?;
        keys.contains(&key).then(|| rest.split_ascii_whitespace().next()?.parse::<u64>().ok())?
    });
    values.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_memory_is_seen() {
        let pid = std::process::id();
        let before = used(&[pid], u64::MAX);
        let block = std::hint::black_box(vec![1_u8; 64 << 20]);
        let after = used(&[pid], u64::MAX);
        assert!(after >= before + (60 << 20), "{before} then {after}");
        assert!(used(&[pid, pid], 1 << 20) > 0, "counted by shares");
        drop(block);
    }
}
