//! `--jail`: the level of the jail in which programs run.

use agon_catalog::Game;
use agon_jail::{Lack, Level, Obstacle, Probe};
use agon_referee::text::line;
use anyhow::{anyhow, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::show::{self, paint};

/// The option of all commands that start programs.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct JailArgs {
    #[arg(
        help = "Jail of programs and compilers: full, landlock or none [default: AGON_JAIL in the environment, else \
                the strongest that works here, see `agon doctor`]",
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
    /// Chooses the level for this process, and warns if the default is not the strongest. `agents` are as the user
    /// named them; built-in players need no jail.
    ///
    /// # Errors
    /// If the requested level does not work here.
    pub(crate) fn choose<'a>(self, game: Game, agents: impl IntoIterator<Item = &'a str>) -> anyhow::Result<()> {
        agon_referee::sight::give_hints();
        self.choose_if(agents.into_iter().any(|agent| game.find(agent).is_err()))
    }

    /// The same for programs that are Agon's own.
    ///
    /// # Errors
    /// If the requested level does not work here.
    pub(crate) fn choose_for_own(self) -> anyhow::Result<()> {
        self.choose_if(true)
    }

    fn choose_if(self, programs: bool) -> anyhow::Result<()> {
        if let Some(level) = self.jail {
            if level != Level::None
                && let Err(Obstacle { why, remedy, .. }) = agon_jail::try_level(level)
            {
                bail!("--jail {level} does not work here: {why}; {remedy}");
            }
            agon_jail::choose(level);
        } else if programs {
            let probe = agon_jail::probe();
            agon_jail::choose(probe.level);
            for warning in weaker(&probe) {
                anstream::eprintln!("{} {}", paint(show::WARN, "jail:"), line(&warning));
            }
        }
        Ok(())
    }
}

impl JailArgs {
    /// Chooses the level for a worker, which runs programs of other machines: full, unless a weaker one was requested.
    /// Returns its name, or why no programs run here.
    ///
    /// # Errors
    /// If the requested level does not work here.
    pub(crate) fn of_worker(self) -> anyhow::Result<Result<String, String>> {
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

const FULL_JAIL_NEEDED: &str =
    "programs of strangers need jail level full; to run them at your own risk, name a weaker level with --jail";

impl JailArgs {
    /// Chooses the level for a process that runs programs of strangers: full, unless a weaker one was requested.
    /// Returns warnings about a weaker level and about what the jail lacks.
    ///
    /// # Errors
    /// If the level does not work here.
    pub(crate) fn insist(self) -> anyhow::Result<Vec<String>> {
        let level = self.jail.unwrap_or(Level::Full);
        let lacks = match level {
            Level::None => Vec::new(),
            level => agon_jail::try_level(level).map_err(|Obstacle { why, remedy, .. }| {
                anyhow!("jail level {level} does not work here: {why}; {remedy}; {FULL_JAIL_NEEDED}")
            })?,
        };
        agon_jail::choose(level);
        let rights = match level {
            Level::Full => None,
            Level::Landlock => Some("they can see other processes"),
            Level::None => Some("they have ALL YOUR RIGHTS: your files, your network, this site's store"),
        };
        let weak = rights.map(|rights| format!("programs of strangers run at jail level {level}: {rights}"));
        let lacks = lacks.into_iter().map(|Lack { what, remedy }| format!("{what}; {remedy}"));
        Ok(weak.into_iter().chain(lacks).collect())
    }
}

/// Warnings if programs are less contained than they could be, or lack something.
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
    fn a_weaker_jail_is_reported() {
        let obstacle = |level, why: &str| Obstacle { level, why: why.to_owned(), remedy: "none".to_owned() };
        let check = |level, obstacles: &[Obstacle], expected: Option<&str>| {
            let probe = Probe { level, obstacles: obstacles.to_vec(), lacks: Vec::new() };
            assert_eq!(weaker(&probe), Vec::from_iter(expected));
        };
        let full = obstacle(Level::Full, "no namespaces");
        check(Level::Full, &[], None);
        check(
            Level::Landlock,
            std::slice::from_ref(&full),
            Some(
                "programs run at level landlock, since level full does not work here: no namespaces \
                 (`agon doctor` has the remedy)",
            ),
        );
        check(
            Level::None,
            &[full, obstacle(Level::Landlock, "an old kernel")],
            Some(
                "programs run with all your rights, since level full does not work here: no namespaces \
                 (`agon doctor` has the remedy)",
            ),
        );
        let lacks = vec![Lack { what: "programs have no /proc", remedy: "unmask it" }];
        let warnings = weaker(&Probe { level: Level::Full, obstacles: Vec::new(), lacks });
        assert_eq!(warnings, ["programs have no /proc (`agon doctor` has the remedy)"]);
    }
}
