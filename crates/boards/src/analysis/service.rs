//! The searches that visitors have requested.
//!
//! Each search has its own thread. An analysis runs only when no other thread wants to: games, their judges and pages
//! come first. A player's move and a puzzle, for which a person waits at a board, are computed like pages: on their
//! processors and at their priority. Of each kind only as many compute at once as the pages have processors, in turns:
//! see [`super::turns`]. So no search waits for another one to end, an engine keeps its tables until it is done, and a
//! search gives the same result as `agon analyze`.

use std::net::IpAddr;
use std::num::NonZero;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use agon_analysis::board::AnalysisBounds;
use agon_analysis::judge::TABLE_BYTES;
use agon_message::English;
use agon_search::Stop;
use tokio::sync::oneshot;

use super::error::{QuestionError, Unanswered};
use super::turns::{SearchTurns, Turns};
use crate::limits::{MAX_ANALYSIS_TIME, SEARCHES};

/// Memory for the tables of an analysis in MiB: on a site, and the most on one's own machine.
const USUAL_HASH_MIB: usize = TABLE_BYTES >> 20;
const MAX_HASH_MIB: usize = 1_024;

/// Who requests a search: an address, and the word by which one of its pages identifies itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Searcher {
    /// Where the request came from.
    pub address: IpAddr,
    /// The page's word; empty if it gives none.
    pub client: String,
}

/// The priority of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SearchPriority {
    /// Like pages: a person is waiting for just this.
    Pages,
    /// Only where no other thread wants to run.
    Background,
}

/// Why a search was ended from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndedBy {
    /// Its page requested another one.
    Replaced,
    Crowded,
    Stopping,
    Gone,
}

struct RunningSearch {
    number: u64,
    searcher: Searcher,
    stop: Stop,
    ended: Option<EndedBy>,
}

impl RunningSearch {
    fn end(&mut self, by: EndedBy) {
        self.ended.get_or_insert(by);
        self.stop.raise();
    }
}

#[derive(Default)]
struct Searches {
    started: u64,
    running: Vec<RunningSearch>,
    stopping: bool,
}

pub struct EngineService {
    searches: Mutex<Searches>,
    /// The turns of moves and puzzles, and of all else.
    turns: [Arc<Turns>; 2],
    max_time: Option<Duration>,
    max_threads: usize,
}

impl Default for EngineService {
    /// For one person on their own machine: an analysis may run until it is stopped.
    fn default() -> Self {
        let slots = thread::available_parallelism().map_or(1, NonZero::get);
        Self { max_time: None, max_threads: slots, ..Self::new(slots) }
    }
}

impl EngineService {
    /// The service of a site that computes `slots` searches of each kind at once.
    pub fn new(slots: usize) -> Self {
        let turns = [Turns::new(slots), Turns::new(slots)];
        Self { searches: Mutex::default(), turns, max_time: Some(MAX_ANALYSIS_TIME), max_threads: 1 }
    }

    /// The maximum number of threads for an analysis.
    pub fn max_threads(&self) -> usize {
        self.max_threads
    }

    /// How long an analysis may take; `None`: until it is stopped.
    pub fn max_time(&self) -> Option<Duration> {
        self.max_time
    }

    /// The memory for the tables of an analysis in MiB: the usual amount, and the maximum.
    pub fn hash_mib(&self) -> (usize, usize) {
        (USUAL_HASH_MIB, if self.max_time.is_some() { USUAL_HASH_MIB } else { MAX_HASH_MIB })
    }

    /// What an analysis may use.
    pub fn bounds(&self) -> AnalysisBounds {
        AnalysisBounds { max_time: self.max_time, max_threads: self.max_threads, hash_mib: self.hash_mib() }
    }

    fn searches(&self) -> MutexGuard<'_, Searches> {
        self.searches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn running(&self) -> usize {
        self.searches().running.len()
    }

    /// Ends all searches, and accepts no more.
    pub fn stop(&self) {
        let mut searches = self.searches();
        searches.stopping = true;
        for search in &mut searches.running {
            search.end(EndedBy::Stopping);
        }
    }

    /// Begins a search; an earlier one of the same page ends. It is stopped when the ticket is dropped. `search` gets
    /// the flag that stops it, and a ticket to ask why it was stopped.
    ///
    /// # Errors
    /// [`QuestionError`] when there is no room.
    pub fn begin(
        self: &Arc<Self>,
        searcher: Searcher,
        priority: SearchPriority,
        search: impl FnOnce(Stop, &dyn Fn() -> Option<EndedBy>) + Send + 'static,
    ) -> Result<SearchTicket, QuestionError> {
        let turns = self.turns[usize::from(priority == SearchPriority::Background)].of_a_search();
        let stop = Stop::with_pause(turns.clone());
        let mut searches = self.searches();
        if searches.stopping || searches.running.len() >= 2 * SEARCHES.all {
            return Err(QuestionError::busy(Unanswered::AnalysesFull));
        }
        for other in searches.running.iter_mut().filter(|other| other.searcher == searcher) {
            other.end(EndedBy::Replaced);
        }
        searches.make_room(searcher.address);
        searches.started += 1;
        let number = searches.started;
        searches.running.push(RunningSearch { number, searcher, stop: stop.clone(), ended: None });
        drop(searches);
        let running = SearchThread { service: Arc::clone(self), number, turns };
        // It inherits the processors and priority of the thread that starts it, one of the pages'.
        let work = move || {
            if priority == SearchPriority::Background {
                agon_jail::run_in_background();
            }
            search(stop, &|| running.ended());
        };
        // If a thread cannot start, its search is removed, too, because its closure is dropped.
        let started = thread::Builder::new().name(format!("search {number}")).spawn(work);
        started.map_err(|error| QuestionError::busy(English(format!("no search can begin: {error}"))))?;
        Ok(SearchTicket { service: Arc::clone(self), number })
    }
}

/// Begins a search for a page, and waits for its answer; the search ends once no one waits. `unanswered` is the reason
/// if it ends without one.
pub(super) async fn searched<T: Send + 'static>(
    service: &Arc<EngineService>,
    searcher: Searcher,
    unanswered: Unanswered,
    search: impl FnOnce(Stop) -> T + Send + 'static,
) -> Result<T, QuestionError> {
    let (send, receive) = oneshot::channel();
    let _ticket = service.begin(searcher, SearchPriority::Pages, move |stop, _| {
        // Its turn comes before its tables are allocated.
        if !stop.is_raised() {
            let _ = send.send(search(stop));
        }
    })?;
    receive.await.map_err(|_| QuestionError::busy(unanswered))
}

impl Searches {
    /// Ends a search if there are too many: this address's oldest if it has used up its share, else one of the address
    /// with the most.
    fn make_room(&mut self, address: IpAddr) {
        let alive = || self.running.iter().filter(|search| search.ended.is_none());
        let of = |address: IpAddr| alive().filter(|search| search.searcher.address == address).count();
        let crowded = if of(address) >= SEARCHES.each {
            Some(address)
        } else if alive().count() >= SEARCHES.all {
            alive().map(|search| search.searcher.address).max_by_key(|&address| of(address))
        } else {
            None
        };
        let Some(address) = crowded else { return };
        let mut all = self.running.iter_mut();
        if let Some(oldest) = all.find(|search| search.ended.is_none() && search.searcher.address == address) {
            oldest.end(EndedBy::Crowded);
        }
    }
}

/// Held by the thread of a search.
struct SearchThread {
    service: Arc<EngineService>,
    number: u64,
    turns: SearchTurns,
}

impl SearchThread {
    fn ended(&self) -> Option<EndedBy> {
        self.service.searches().running.iter().find(|search| search.number == self.number)?.ended
    }
}

impl Drop for SearchThread {
    fn drop(&mut self) {
        self.turns.leave();
        self.service.searches().running.retain(|search| search.number != self.number);
    }
}

/// Held by whoever waits for a search.
pub struct SearchTicket {
    service: Arc<EngineService>,
    number: u64,
}

impl Drop for SearchTicket {
    fn drop(&mut self) {
        if let Some(search) = self.service.searches().running.iter_mut().find(|search| search.number == self.number) {
            search.end(EndedBy::Gone);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;

    use agon_analysis::board::{AnalysedPosition, SearchWish};
    use agon_analysis::considered::Consideration;
    use agon_catalog::{Game, Setup};
    use agon_game::GameState;
    use agon_search::SearchLimits;

    use super::*;

    fn state(game: Game) -> Box<dyn GameState> {
        game.initial_state(&Setup::default()).unwrap()
    }

    const TEST_TIMEOUT: Duration = Duration::from_secs(20);

    /// A search that runs until it is stopped, and then reports why.
    fn begin(service: &Arc<EngineService>, address: u8, client: &str) -> (SearchTicket, mpsc::Receiver<EndedBy>) {
        let (send, ended) = mpsc::channel();
        let searcher = Searcher { address: IpAddr::from([127, 0, 0, address]), client: client.to_owned() };
        let search = move |stop: Stop, why: &dyn Fn() -> Option<EndedBy>| {
            while !stop.is_raised() {
                thread::sleep(Duration::from_millis(1));
            }
            let _ = send.send(why().unwrap());
        };
        (service.begin(searcher, SearchPriority::Background, search).unwrap(), ended)
    }

    #[test]
    fn visitors_of_a_site_share_its_processors() {
        assert_eq!(EngineService::default().max_time(), None);
        let site = EngineService::new(8);
        assert!(site.max_time().is_some());
        assert_eq!(site.max_threads(), 1);
    }

    #[test]
    fn a_page_has_one_search() {
        let service = Arc::new(EngineService::default());
        let (_one, first) = begin(&service, 1, "a");
        let (_two, second) = begin(&service, 1, "b");
        let (_three, third) = begin(&service, 2, "a");
        let (four, fourth) = begin(&service, 1, "a");
        assert_eq!(first.recv_timeout(TEST_TIMEOUT), Ok(EndedBy::Replaced));
        for other in [&second, &third, &fourth] {
            assert_eq!(other.try_recv(), Err(mpsc::TryRecvError::Empty));
        }
        drop(four);
        assert_eq!(fourth.recv_timeout(TEST_TIMEOUT), Ok(EndedBy::Gone));
        service.stop();
        assert_eq!(second.recv_timeout(TEST_TIMEOUT), Ok(EndedBy::Stopping));
        assert_eq!(third.recv_timeout(TEST_TIMEOUT), Ok(EndedBy::Stopping));
        let searcher = Searcher { address: IpAddr::from([127, 0, 0, 1]), client: String::new() };
        assert!(service.begin(searcher, SearchPriority::Pages, |_, _| {}).is_err());
    }

    #[test]
    fn an_analysis_comes_after_all_else_and_a_move_does_not() {
        let service = Arc::new(EngineService::default());
        let policy = |priority| {
            let (send, heard) = mpsc::channel();
            let searcher = Searcher { address: IpAddr::from([127, 0, 0, 1]), client: format!("{priority:?}") };
            let search = move |_: Stop, _: &dyn Fn() -> Option<EndedBy>| {
                send.send(std::fs::read_to_string("/proc/thread-self/stat").unwrap()).unwrap();
            };
            let _ticket = service.begin(searcher, priority, search).unwrap();
            let stat = heard.recv_timeout(TEST_TIMEOUT).unwrap();
            // The 41st field; the name before may have blanks.
            stat.rsplit_once(')').unwrap().1.split_whitespace().nth(38).unwrap().parse::<u32>().unwrap()
        };
        let idle = 5;
        assert_eq!((policy(SearchPriority::Background), policy(SearchPriority::Pages)), (idle, 0));
    }

    #[test]
    fn searches_of_a_kind_take_turns() {
        let service = Arc::new(EngineService::new(1));
        let (computing, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let begin = |client: usize| {
            let (computing, most) = (Arc::clone(&computing), Arc::clone(&most));
            let searcher = Searcher { address: IpAddr::from([127, 0, 0, 1]), client: client.to_string() };
            let (send, ended) = mpsc::channel();
            // Of the kind that does not wait for an idle processor: a loaded machine may have none for long.
            let search = move |stop: Stop, _: &dyn Fn() -> Option<EndedBy>| {
                for _ in 0..80 {
                    if stop.is_raised() {
                        break;
                    }
                    most.fetch_max(computing.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    thread::sleep(Duration::from_millis(1));
                    computing.fetch_sub(1, Ordering::SeqCst);
                }
                let _ = send.send(());
            };
            (service.begin(searcher, SearchPriority::Pages, search).unwrap(), ended)
        };
        let all: Vec<_> = (0..4).map(begin).collect();
        for (_, ended) in &all {
            ended.recv_timeout(TEST_TIMEOUT).unwrap();
        }
        assert_eq!(most.load(Ordering::SeqCst), 1);
    }

    /// A flood of searches that end one another costs threads, and no tables.
    #[test]
    fn a_search_that_ends_before_its_turn_makes_no_tables() {
        let service = Arc::new(EngineService::new(1));
        let searcher = |last| Searcher { address: IpAddr::from([127, 0, 0, last]), client: String::new() };
        // Another search holds the only turn meanwhile.
        let ((has, turn), (end, wait)) = (mpsc::channel(), mpsc::channel::<()>());
        let computing = service.begin(searcher(1), SearchPriority::Background, move |stop, _| {
            has.send(stop.is_raised()).unwrap();
            let _ = wait.recv();
        });
        assert_eq!(turn.recv_timeout(TEST_TIMEOUT), Ok(false));
        let position = AnalysedPosition::from_state(Game::BACTERIA, state(Game::BACTERIA).as_ref()).unwrap();
        let (limits, moves) = (SearchLimits::default(), Consideration::default());
        let wish = SearchWish { limits, lines: 1, moves, table_bytes: TABLE_BYTES, threads: 1 };
        let (send, heard) = mpsc::channel();
        let ticket = service.begin(searcher(2), SearchPriority::Background, move |stop, _| {
            let mut events = 0;
            position.analyse(&wish, stop, &mut |_, _| events += 1).unwrap();
            send.send(events).unwrap();
        });
        drop(ticket.unwrap());
        // The engine would have said at least which move is best.
        assert_eq!(heard.recv_timeout(TEST_TIMEOUT), Ok(0));
        drop((end, computing));
    }

    #[test]
    fn whoever_has_most_makes_room() {
        let service = Arc::new(EngineService::default());
        let many: Vec<_> = (0..SEARCHES.each).map(|n| begin(&service, 1, &n.to_string())).collect();
        let (_more, _) = begin(&service, 1, "more");
        assert_eq!(many[0].1.recv_timeout(TEST_TIMEOUT), Ok(EndedBy::Crowded));
        let others: Vec<_> = (SEARCHES.each..SEARCHES.all).map(|n| begin(&service, 2, &n.to_string())).collect();
        let (_another, _) = begin(&service, 3, "");
        assert_eq!(many[1].1.recv_timeout(TEST_TIMEOUT), Ok(EndedBy::Crowded));
        assert!(others.iter().all(|(_, ended)| ended.try_recv().is_err()));
        service.stop();
    }
}
