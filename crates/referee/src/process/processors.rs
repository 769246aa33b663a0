//! On which processors threads and programs run.

use std::fs;

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProcessorSet(Option<Box<CpuSet>>);

impl ProcessorSet {
    /// The processors with these numbers, as the system numbers them.
    pub fn from_numbers(numbers: &[usize]) -> Self {
        let mut set = CpuSet::new();
        numbers.iter().filter(|&&number| number < CpuSet::MAX_CPU).for_each(|&number| set.set(number));
        Self(Some(Box::new(set)))
    }

    /// The processors on which the calling thread may run.
    pub fn of_thread() -> Self {
        Self(sched_getaffinity(None).ok().map(Box::new))
    }

    /// Their numbers; `None` when the system does not say.
    pub fn numbers(&self) -> Option<Vec<usize>> {
        let set = self.0.as_ref()?;
        Some((0..CpuSet::MAX_CPU).filter(|&number| set.is_set(number)).collect())
    }

    /// Binds the calling thread, and the programs that it starts, to them. A system that refuses leaves it as it was.
    pub fn bind(&self) {
        if let Some(set) = &self.0 {
            let _ = sched_setaffinity(None, set);
        }
    }

    /// Does something while the calling thread is bound to them: programs that are started meanwhile stay so.
    pub fn during<T>(&self, act: impl FnOnce() -> T) -> T {
        let before = Self::of_thread();
        self.bind();
        let result = act();
        before.bind();
        result
    }

    /// Binds all threads of a process to them.
    pub(super) fn bind_process(&self, pid: u32) {
        let Some(set) = &self.0 else { return };
        let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        for task in tasks.filter_map(|task| Pid::from_raw(task.file_name().to_str()?.parse().ok()?)) {
            let _ = sched_setaffinity(Some(task), set);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_is_bound_for_a_while() {
        let before = ProcessorSet::of_thread();
        let all = before.numbers().unwrap();
        let last = ProcessorSet::from_numbers(&all[all.len() - 1..]);
        assert_eq!(last.during(ProcessorSet::of_thread), last);
        assert_eq!(ProcessorSet::of_thread(), before);
        assert_eq!(ProcessorSet::from_numbers(&[1, usize::MAX]).numbers().unwrap(), [1]);
    }
}
