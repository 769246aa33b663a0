//! At which level of the jail programs run: `--jail`.

use agon_engines::registry;
use agon_jail::{Lack, Level, Obstacle, Probe};
use agon_referee::text::line;
use agon_rules::catalog::Game;
use anyhow::{anyhow, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::show::{self, paint};

/// The option of all commands that start programs.
#[derive(Args, Clone, Copy, Debug)]
pub struct JailArgs {
    #[arg(
        help = "Jail of programs and compilers: full, landlock or none [default: AGON_JAIL in the environment, else the strongest that works here, see `agon doctor`]",
        long,
        value_name = "LEVEL",
        env = "AGON_JAIL",
        hide_env = true,
        hide_possible_values = true,
        value_parser = level()
    )]
    jail: Option<Level>,
}

fn level() -> impl TypedValueParser<Value = Level> {
    let names = Level::ALL.into_iter().rev().map(Level::name);
    PossibleValuesParser::new(names).map(|name| name.parse().expect("a listed name"))
}

impl JailArgs {
    /// Chooses the level for this process; says so when it was left open and is not the strongest. `agents` are the texts that
    /// name them: where all are built-in players, there is nothing to be put into a jail.
    ///
    /// # Errors
    /// When the level that was asked for does not work here.
    pub fn choose<'a>(self, game: Game, agents: impl IntoIterator<Item = &'a str>) -> anyhow::Result<()> {
        if let Some(level) = self.jail {
            if level != Level::None
                && let Err(Obstacle { why, remedy, .. }) = agon_jail::try_level(level)
            {
                bail!("--jail {level} does not work here: {why}; {remedy}");
            }
            agon_jail::choose(level);
        } else if agents.into_iter().any(|agent| registry::find(game, agent).is_err()) {
            let probe = agon_jail::probe();
            agon_jail::choose(probe.level);
            for told in weaker(&probe) {
                anstream::eprintln!("{} {}", paint(show::WARN, "jail:"), line(&told));
            }
        }
        Ok(())
    }
}

impl JailArgs {
    /// Chooses the level for a worker, which runs the programs of other machines: full, unless a weaker one was asked for by
    /// name. Its name; the inner error says why no programs are run here.
    ///
    /// # Errors
    /// When a level was asked for that does not work here.
    pub fn of_worker(self) -> anyhow::Result<Result<String, String>> {
        if self.jail.is_none()
            && let Err(Obstacle { why, remedy, .. }) = agon_jail::try_level(Level::Full)
        {
            agon_jail::choose(Level::Full);
            return Ok(Err(format!("no jail: level full does not work here: {why}; {remedy}")));
        }
        self.insist()?;
        Ok(Ok(self.jail.unwrap_or(Level::Full).to_string()))
    }
}

/// What must be done before strangers' programs run here at less than the strongest level.
const INSISTED: &str =
    "programs of strangers need jail level full; to run them at your own risk, name a weaker level with --jail";

impl JailArgs {
    /// Chooses the level for a process that runs programs of strangers: full, unless a weaker one was asked for by name. What is
    /// to be said loudly then, and what the jail lacks.
    ///
    /// # Errors
    /// When the level does not work here.
    pub fn insist(self) -> anyhow::Result<Vec<String>> {
        let level = self.jail.unwrap_or(Level::Full);
        let lacks = match level {
            Level::None => Vec::new(),
            level => agon_jail::try_level(level).map_err(|Obstacle { why, remedy, .. }| {
                anyhow!("jail level {level} does not work here: {why}; {remedy}; {INSISTED}")
            })?,
        };
        agon_jail::choose(level);
        let rights = match level {
            Level::Full => None,
            Level::Landlock => Some("they are not kept from seeing other processes"),
            Level::None => Some("they have ALL YOUR RIGHTS: your files, your network, this site's store"),
        };
        let weak = rights.map(|rights| format!("programs of strangers run at jail level {level}: {rights}"));
        let lacks = lacks.into_iter().map(|Lack { what, remedy }| format!("{what}; {remedy}"));
        Ok(weak.into_iter().chain(lacks).collect())
    }
}

/// What the user is told where programs are not as well contained as they could be, or lack something.
fn weaker(probe: &Probe) -> Vec<String> {
    let obstacle = probe.obstacles.first().map(|Obstacle { level, why, .. }| {
        let what = match probe.level {
            Level::None => "programs run with all your rights".to_owned(),
            level => format!("programs run at level {level}"),
        };
        format!("{what}, since level {level} does not work here: {why} (`agon doctor` has the remedy)")
    });
    let lacks = probe.lacks.iter().map(|Lack { what, .. }| format!("{what} (`agon doctor` has the remedy)"));
    obstacle.into_iter().chain(lacks).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weaker_jail_is_told_of() {
        let obstacle = |level, why: &str| Obstacle { level, why: why.to_owned(), remedy: "none".to_owned() };
        let check = |level, obstacles: &[Obstacle], told: Option<&str>| {
            let probe = Probe { level, obstacles: obstacles.to_vec(), lacks: Vec::new() };
            assert_eq!(weaker(&probe), Vec::from_iter(told));
        };
        let full = obstacle(Level::Full, "no namespaces");
        check(Level::Full, &[], None);
        check(
            Level::Landlock,
            std::slice::from_ref(&full),
            Some(
                "programs run at level landlock, since level full does not work here: no namespaces (`agon doctor` has the remedy)",
            ),
        );
        check(
            Level::None,
            &[full, obstacle(Level::Landlock, "an old kernel")],
            Some(
                "programs run with all your rights, since level full does not work here: no namespaces (`agon doctor` has the remedy)",
            ),
        );
        let lacks = vec![Lack { what: "programs have no /proc", remedy: "unmask it" }];
        let told = weaker(&Probe { level: Level::Full, obstacles: Vec::new(), lacks });
        assert_eq!(told, ["programs have no /proc (`agon doctor` has the remedy)"]);
    }
}
