//! The limits that a worker sets itself: a coordinator that it trusts may err, and a key may be stolen.

use std::time::Duration;

use agon_arena::Plan;
use agon_referee::clock::Clock;
use agon_referee::limits::GameLimits;

/// The longest clock of an agent for a whole game.
const MAX_CLOCK: Duration = Duration::from_hours(6);

/// The longest time that is added for a move.
const MAX_INCREMENT: Duration = Duration::from_mins(10);

/// The longest time for READY, for the end after FINISH, and for one action.
const MAX_ANSWER: Duration = Duration::from_mins(10);

/// The most agents of a plan.
const MAX_AGENTS: usize = 1000;

/// Minimum and maximum silence of a worker before its job is handed out again.
const LEASE: [Duration; 2] = [Duration::from_millis(200), Duration::from_mins(10)];

/// The part of a machine's memory that one program may use unless its owner says otherwise, as a divisor: a game has
/// two programs.
const MEMORY_SHARE: u64 = 2;

/// The memory that one program may use at most on this machine unless its owner says otherwise, in MiB.
pub fn default_memory_mib() -> u64 {
    let machine = rustix::system::sysinfo();
    ((machine.totalram * u64::from(machine.mem_unit)) >> 20) / MEMORY_SHARE
}

/// Checks that a plan requires no more than a worker offers; an error says what is missing. The memory of built-in
/// players is not limited by the plan, so it is checked only if there are `programs`.
pub(crate) fn check_plan(plan: &Plan, programs: bool, max_memory_mib: u64) -> Result<(), String> {
    if plan.agents.len() > MAX_AGENTS {
        return Err(format!("it has {} agents, and this worker takes {MAX_AGENTS}", plan.agents.len()));
    }
    check_limits(&plan.limits, programs, max_memory_mib)?;
    plan.agents.iter().filter_map(|agent| agent.clock).try_for_each(check_clock)
}

fn check_limits(limits: &GameLimits, programs: bool, max_memory_mib: u64) -> Result<(), String> {
    let memory = limits.memory_mib;
    if programs && memory > max_memory_mib {
        return Err(format!(
            "its programs may use {memory} MiB each, and this worker gives {max_memory_mib} MiB (--max-memory)"
        ));
    }
    check_clock(limits.common_clock())?;
    limits.seat_clocks.into_iter().flatten().try_for_each(check_clock)?;
    for (what, found) in [("READY", limits.ready()), ("the end", limits.exit()), ("an action", limits.invocation())] {
        if found > MAX_ANSWER {
            let (found, most) = (found.as_secs(), MAX_ANSWER.as_secs());
            return Err(format!("it gives {found} s for {what}, and this worker {most} s"));
        }
    }
    if limits.recheck_percent > 100 {
        return Err(format!("it repeats {} % of the actions", limits.recheck_percent));
    }
    Ok(())
}

fn check_clock(clock: Clock) -> Result<(), String> {
    let (base, increment) = (Duration::from_millis(clock.base_ms), Duration::from_millis(clock.increment_ms));
    if base > MAX_CLOCK || increment > MAX_INCREMENT {
        return Err(format!("its clock is {clock}, and this worker takes {} h at most", MAX_CLOCK.as_secs() / 3600));
    }
    Ok(())
}

/// Returns the permitted silence of this worker; an error says that the run demands something impossible.
pub(crate) fn lease(ms: u64) -> Result<Duration, String> {
    let found = Duration::from_millis(ms);
    let [least, most] = LEASE;
    let range = || format!("{} ms to {} s", least.as_millis(), most.as_secs());
    (least..=most).contains(&found).then_some(found).ok_or_else(|| {
        format!("it wants to hear of its jobs every {ms} ms, and this worker reports within {}", range())
    })
}

#[cfg(test)]
mod tests {
    use agon_arena::plan::Entrant;
    use agon_catalog::Game;

    use super::*;

    #[test]
    fn a_plan_asks_for_no_more_than_a_worker_gives() {
        let base = || {
            let agents = ["greedy", "random"].map(|name| Entrant::read(name, Game::DOMINEERING).unwrap());
            Plan::of_match(Game::DOMINEERING, agents, 2)
        };
        let check = |change: &dyn Fn(&mut Plan), wanted: Option<&str>| {
            let mut plan = base();
            change(&mut plan);
            match (check_plan(&plan, true, 2048), wanted) {
                (Ok(()), None) => {}
                (Err(why), Some(part)) => assert!(why.contains(part), "{why}"),
                (found, _) => panic!("{found:?} is not {wanted:?}"),
            }
        };
        let long = Clock { base_ms: 1 << 40, ..Clock::for_game(1000) };
        check(&|_| {}, None);
        check(&|plan| plan.limits.memory_mib = 2048, None);
        check(&|plan| plan.limits.memory_mib = 2049, Some("--max-memory"));
        check(&|plan| plan.limits.memory_mib = u64::MAX, Some("--max-memory"));
        check(&|plan| plan.limits.clock_ms = u64::MAX, Some("its clock"));
        check(&|plan| plan.limits.increment_ms = u64::MAX, Some("its clock"));
        check(&|plan| plan.limits.seat_clocks[1] = Some(long), Some("its clock"));
        check(&|plan| plan.agents[1].clock = Some(long), Some("its clock"));
        check(&|plan| plan.limits.ready_ms = u64::MAX, Some("for READY"));
        check(&|plan| plan.limits.exit_ms = u64::MAX, Some("for the end"));
        check(&|plan| plan.limits.invocation_ms = u64::MAX, Some("for an action"));
        check(&|plan| plan.limits.recheck_percent = 101, Some("101 %"));
        check(&|plan| plan.agents = vec![plan.agents[0].clone(); MAX_AGENTS + 1], Some("1001 agents"));
        let mut plan = base();
        plan.limits.memory_mib = u64::MAX;
        assert_eq!(check_plan(&plan, false, 2048), Ok(()), "built-in players have no such limit");
        assert!(lease(0).is_err() && lease(u64::MAX).is_err() && lease(15_000).is_ok());
        assert!(default_memory_mib() > 0);
    }
}
