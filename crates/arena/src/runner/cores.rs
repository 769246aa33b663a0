//! The processors that a worker may use.

use agon_referee::process::ProcessorSet;

/// The processors this program may use, as the system numbers them.
pub fn allowed() -> Vec<usize> {
    let unknown = || (0..std::thread::available_parallelism().map_or(1, usize::from)).collect();
    ProcessorSet::of_thread().numbers().unwrap_or_else(unknown)
}

/// Divides processors among workers, `threads` for each; `None` when there are not enough.
pub fn share(cores: &[usize], workers: usize, threads: usize) -> Option<Vec<Vec<usize>>> {
    let needed = workers.checked_mul(threads)?;
    (threads > 0 && needed <= cores.len()).then(|| cores[..needed].chunks(threads).map(<[usize]>::to_vec).collect())
}

/// The processors of each of two agents: the same number for both, none of them shared. `None` when there is only one.
pub fn halves(cores: &[usize]) -> Option<[ProcessorSet; 2]> {
    let half = cores.len() / 2;
    (half > 0).then(|| [&cores[..half], &cores[half..2 * half]].map(ProcessorSet::from_numbers))
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
    fn every_agent_has_processors_of_its_own() {
        let check = |cores: &[usize], wanted: Option<[&[usize]; 2]>| {
            let wanted = wanted.map(|halves| halves.map(<[usize]>::to_vec));
            assert_eq!(halves(cores).map(|halves| halves.map(|half| half.numbers().unwrap())), wanted);
        };
        check(&[3], None);
        check(&[0, 2], Some([&[0], &[2]]));
        check(&[0, 2, 3], Some([&[0], &[2]]));
        check(&[0, 2, 3, 7], Some([&[0, 2], &[3, 7]]));
    }

    #[test]
    fn a_pinned_thread_stays_where_it_was_put() {
        let core = allowed()[0];
        let seen = std::thread::spawn(move || {
            ProcessorSet::from_numbers(&[core]).bind();
            allowed()
        });
        assert_eq!(seen.join().unwrap(), [core]);
    }
}
