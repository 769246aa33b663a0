//! Which processors a worker may use.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// How many processors a `CpuSet` can name.
const MOST: usize = CpuSet::MAX_CPU;

/// The processors this program may use, as the system numbers them.
pub fn allowed() -> Vec<usize> {
    match sched_getaffinity(None) {
        Ok(set) => (0..MOST).filter(|&core| set.is_set(core)).collect(),
        Err(_) => (0..std::thread::available_parallelism().map_or(1, usize::from)).collect(),
    }
}

/// Divides processors among workers, `threads` for each; `None` when there are not enough.
pub fn share(cores: &[usize], workers: usize, threads: usize) -> Option<Vec<Vec<usize>>> {
    let needed = workers.checked_mul(threads)?;
    (threads > 0 && needed <= cores.len()).then(|| cores[..needed].chunks(threads).map(<[usize]>::to_vec).collect())
}

/// Binds the calling thread, and the programs it starts, to these processors. A system that refuses leaves it as it was.
pub fn pin(cores: &[usize]) {
    let mut set = CpuSet::new();
    cores.iter().filter(|&&core| core < MOST).for_each(|&core| set.set(core));
    let _ = sched_setaffinity(None, &set);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_worker_has_processors_of_its_own() {
        let check = |workers, threads, wanted: Option<&[&[usize]]>| {
            let wanted: Option<Vec<Vec<usize>>> = wanted.map(|w| w.iter().map(|cores| cores.to_vec()).collect());
            assert_eq!(share(&[0, 2, 3, 7], workers, threads), wanted, "{workers} {threads}");
        };
        check(2, 1, Some(&[&[0], &[2]]));
        check(2, 2, Some(&[&[0, 2], &[3, 7]]));
        check(4, 1, Some(&[&[0], &[2], &[3], &[7]]));
        check(5, 1, None);
        check(2, 3, None);
        check(1, 0, None);
        check(usize::MAX, 2, None);
    }

    #[test]
    fn a_pinned_thread_stays_where_it_was_put() {
        let core = allowed()[0];
        let seen = std::thread::spawn(move || {
            pin(&[core]);
            allowed()
        });
        assert_eq!(seen.join().unwrap(), [core]);
    }
}
