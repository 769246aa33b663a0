//! The processors that a site works on. A game owns its processors, so pages are rendered on the others. If games need
//! all of them, pages come after games: a crowd then slows down pages, but no moves.

use agon_arena::runner::cores;
use agon_referee::process::ProcessorSet;

/// How much nicer than games pages are if both need the same processors, as `nice` counts. A thinking program keeps
/// nine tenths of its processor beside a thread that is this nice.
const NICENESS: i32 = 10;

/// The processors of games and of everything else.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Division {
    /// The processors of each game that may be played at once; `None` if there are fewer processors than games.
    pub games: Option<Vec<Vec<usize>>>,
    pub pages: Vec<usize>,
}

impl Division {
    /// Divides these processors: each game has the same number of its own, and at least one is left if possible.
    pub fn new(processors: &[usize], games: usize) -> Self {
        let each = (processors.len().saturating_sub(1) / games.max(1)).max(1);
        let shares = cores::share(processors, games, each);
        let taken = shares.as_ref().map_or(processors.len(), |shares| shares.len() * each);
        let left = &processors[taken..];
        let pages = if left.is_empty() { processors } else { left };
        Self { games: shares, pages: pages.to_vec() }
    }

    /// The division of the processors on which the calling thread may run.
    pub fn of_thread(games: usize) -> Self {
        Self::new(&cores::allowed(), games)
    }

    /// Whether pages run where games do.
    fn shared(&self) -> bool {
        self.games.as_ref().is_none_or(|games| games.iter().flatten().any(|number| self.pages.contains(number)))
    }

    /// Makes the calling thread work for pages.
    pub fn enter_pages(&self) {
        ProcessorSet::from_numbers(&self.pages).bind();
        if self.shared() {
            // Lowering one's priority is always allowed.
            let now = rustix::process::getpriority_process(None).unwrap_or(0);
            let _ = rustix::process::setpriority_process(None, now + NICENESS);
        }
    }

    /// A runtime whose threads all work for pages, with as many as `rooms` for jobs that block: more would only compete
    /// with games on the same processors, fewer would let one kind of jobs take the threads of another.
    ///
    /// # Errors
    /// Any error of the system.
    pub fn runtime(&self, rooms: usize) -> std::io::Result<tokio::runtime::Runtime> {
        let own = self.clone();
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(self.pages.len())
            .max_blocking_threads(rooms)
            .on_thread_start(move || own.enter_pages())
            .enable_all()
            .build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_what_games_leave() {
        let check = |processors: &[usize], games, of_games: Option<&[&[usize]]>, pages: &[usize], shared| {
            let division = Division::new(processors, games);
            let wanted = of_games.map(|all| all.iter().map(|own| own.to_vec()).collect());
            assert_eq!((&division.games, &division.pages[..]), (&wanted, pages), "{processors:?} {games}");
            assert_eq!(division.shared(), shared, "{processors:?} {games}");
        };
        check(&[0, 1], 1, Some(&[&[0]]), &[1], false);
        check(&[0, 1], 2, Some(&[&[0], &[1]]), &[0, 1], true);
        check(&[0, 1], 3, None, &[0, 1], true);
        check(&[3], 1, Some(&[&[3]]), &[3], true);
        check(&[0, 1], 0, Some(&[]), &[0, 1], false);
        check(&[0, 1, 2, 3, 4, 5, 6, 7], 3, Some(&[&[0, 1], &[2, 3], &[4, 5]]), &[6, 7], false);
        check(&[0, 1, 2, 3], 3, Some(&[&[0], &[1], &[2]]), &[3], false);
    }

    #[test]
    fn every_thread_of_the_pages_keeps_to_them() {
        let all = cores::allowed();
        let last = all[all.len() - 1];
        let here =
            || (ProcessorSet::of_thread().numbers().unwrap(), rustix::process::getpriority_process(None).unwrap());
        let before = here();
        let seen = |division: &Division| {
            let runtime = division.runtime(4).unwrap();
            let seen = runtime.block_on(async move {
                [tokio::spawn(async move { here() }).await.unwrap(), tokio::task::spawn_blocking(here).await.unwrap()]
            });
            assert_eq!(here(), before, "this thread is none of them");
            seen
        };
        let apart = Division { games: Some(Vec::new()), pages: vec![last] };
        assert_eq!(seen(&apart), [(vec![last], before.1), (vec![last], before.1)]);
        let shared = Division { games: Some(vec![vec![last]]), pages: vec![last] };
        let nice = (before.1 + NICENESS).min(19);
        assert_eq!(seen(&shared), [(vec![last], nice), (vec![last], nice)]);
    }
}
