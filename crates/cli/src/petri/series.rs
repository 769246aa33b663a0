//! What the commands that play series share.

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::petri::{DishSize, PairScore, Pairing, Series, SeriesScores};
use agon_arena::trial::{self, Candidate};
use agon_referee::limits::GameLimits;
use agon_referee::process::interrupted;
use clap::Args;

use crate::amount::mebibytes;
use crate::jail::JailArgs;
use crate::options::{JobsArgs, OutputArgs};
use crate::progress::Bar;
use crate::signals;
use crate::span::{A_DAY, TimeSpan, time};

/// How a series of games is played.
#[derive(Args, Debug)]
pub(crate) struct SeriesArgs {
    /// Random seed N: game n of a pair has the seed N + n
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Time limit of one invocation of a program
    #[arg(long, value_name = "TIME", default_value_t = TimeSpan::from_ms(GameLimits::default().invocation_ms),
          value_parser = time(A_DAY))]
    pub invocation: TimeSpan,
    /// Memory of each process of a program, in MiB
    #[arg(long, value_name = "MIB", default_value_t = GameLimits::default().memory_mib,
          value_parser = mebibytes::<u64>(1_048_576))]
    pub memory: u64,
    #[command(flatten)]
    pub jail: JailArgs,
    #[command(flatten)]
    pub jobs: JobsArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl SeriesArgs {
    pub(crate) fn limits(&self) -> GameLimits {
        GameLimits { invocation_ms: self.invocation.ms(), memory_mib: self.memory, ..GameLimits::default() }
    }

    /// Programs by the texts that name them, each tried on this dish; `None` when a signal stopped that.
    pub(crate) fn programs(&self, texts: &[&str], dish: DishSize) -> anyhow::Result<Option<Vec<PreparedAgent>>> {
        signals::watch()?;
        self.jail.choose(agon_arena::petri::GAME, texts.iter().copied())?;
        let (game, limits) = (agon_arena::petri::GAME, self.limits());
        let mut titles = Vec::new();
        let mut spec = |text: &str| {
            let named = agents::named(game, text);
            titles.push(named.as_ref().ok().and_then(|named| named.terms.name.clone()));
            match named {
                // A dish has no clock: the setting is refused with the reason.
                Ok(named) if named.terms.clock.is_some() => agents::parse(game, text),
                named => named.map(|named| named.spec),
            }
        };
        let named: Vec<_> = texts.iter().map(|&text| Candidate { name: text, spec: spec(text), limits }).collect();
        let ready = trial::prepare(game, named, Some(&dish.setup(self.seed)), false, &interrupted);
        if interrupted() {
            return Ok(None);
        }
        Ok(Some(ready?.into_iter().zip(titles).map(|(agent, title)| agent.titled(title)).collect()))
    }

    /// Plays `games` games of every pairing, with a bar; `None` when a signal stopped them.
    pub(crate) fn play(&self, games: u32, pairings: &[Pairing]) -> anyhow::Result<Option<Vec<PairScore>>> {
        let SeriesScores { scores, stopped } = self.play_on(games, pairings, &mut |_, _| {})?;
        Ok((!stopped).then_some(scores))
    }

    /// The same, also of a series that was stopped. `played` gets the bar and what was played so far of all pairings.
    pub(crate) fn play_on(
        &self,
        games: u32,
        pairings: &[Pairing],
        played: &mut dyn FnMut(&Bar, &PairScore),
    ) -> anyhow::Result<SeriesScores> {
        let series = Series { games, seed: self.seed, limits: self.limits(), threads: self.jobs.threads() };
        let bar = Bar::new("{wide_bar} {pos}/{len} games, {eta} left")?;
        let mut sum = PairScore::default();
        Ok(series.play(pairings, &bar, &mut |game| {
            sum.add(game);
            played(&bar, &sum);
        })?)
    }
}
