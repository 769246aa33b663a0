//! `agon serve demo`: a lively site for trials, pictures and load tests.

use std::fs;
use std::path::PathBuf;
use std::time::Instant;

use agon_jobs::pool;
use agon_referee::limits::GameLimits;
use agon_site::clock::now;
use agon_site::demo::{self, DemoTerms, MAX_GAMES, MAX_PEOPLE};
use agon_site::store::SiteStore;
use agon_web::SiteOptions;
use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;

use crate::exit::Exit;
use crate::jail::JailArgs;
use crate::options::{Format, OutputArgs, up_to};
use crate::show::{self, paint};

const DEMO_HELP: &str = "\
No one on this site is a real person. Its games are real: the referee plays all
of them now, between samples and levels of the built-in players, and dates them
over six weeks. The same seed makes the same site, up to times.

Examples:
  agon serve demo --data demo-site
  agon serve demo --data demo-site --games 5000 --seed 7
  agon serve --data demo-site";

#[derive(Args, Debug)]
#[command(after_help = DEMO_HELP)]
pub(crate) struct DemoArgs {
    /// The folder of the new site; made if it is missing
    #[arg(long, value_name = "DIR", default_value = "agon-demo")]
    pub data: PathBuf,

    /// About how many games are played
    #[arg(short = 'n', long, value_name = "N", default_value_t = 900, value_parser = up_to::<u32>(MAX_GAMES.into()))]
    games: u32,

    /// How many people there are
    #[arg(long, value_name = "N", default_value_t = MAX_PEOPLE, value_parser = up_to::<usize>(MAX_PEOPLE as u64))]
    people: usize,

    /// From which people, programs, pairings and moves are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    jail: JailArgs,

    #[command(flatten)]
    output: OutputArgs,
}

impl DemoArgs {
    /// Makes the site.
    ///
    /// # Errors
    /// If the folder is in use, or a game could not be played.
    pub(crate) fn run(&self, options: &SiteOptions) -> anyhow::Result<Exit> {
        let used = fs::read_dir(&self.data).is_ok_and(|mut entries| entries.next().is_some());
        if used {
            bail!("`{}` is not empty: name a new folder with --data", self.data.display());
        }
        // The spawner of programs is a copy of this process, so it is created before there are threads.
        agon_jail::prepare().context("cannot start programs")?;
        self.jail.choose_for_own()?;
        let folder = self.data.join("compiling");
        fs::create_dir_all(&folder).with_context(|| format!("cannot make `{}`", folder.display()))?;
        let begun = Instant::now();
        let mut store = SiteStore::open(&options.store())?;
        let terms = DemoTerms {
            folder: folder.clone(),
            seed: self.seed,
            people: self.people,
            games: self.games,
            threads: pool::cores(),
            limits: GameLimits::default(),
            programs: true,
            now: now(),
        };
        let text = self.output.format == Format::Text;
        let made = demo::make(&mut store, &terms, &mut |day| {
            if text && day % 7 == 0 && day > 0 {
                anstream::eprintln!("week {} of {} has passed", day / 7, demo::DAYS / 7);
            }
        });
        let _ = fs::remove_dir_all(&folder);
        let made = match made {
            Ok(made) => made,
            Err(error) => {
                // Half a season looks like a whole one.
                drop(store);
                let _ = fs::remove_dir_all(&self.data);
                return Err(error.into());
            }
        };
        match self.output.format {
            Format::Json => {
                let site = json!({
                    "folder": self.data.display().to_string(), "host": made.host, "member": made.member,
                    "password": made.password, "accounts": made.accounts, "programs": made.programs,
                    "versions": made.versions, "games": made.games, "days": made.days,
                });
                anstream::println!("{site}");
            }
            Format::Text => {
                anstream::println!(
                    "{} accounts, {} programs, {} versions and {} games of {} days, made in {:.0} s",
                    made.accounts,
                    made.programs,
                    made.versions,
                    made.games,
                    made.days,
                    begun.elapsed().as_secs_f64()
                );
                let password = paint(show::STRONG, &made.password);
                anstream::println!(
                    "sign in as {} (the administrator) or {}; the password of all accounts is {password}",
                    made.host,
                    made.member
                );
                anstream::println!("look at it: agon serve --data {}", self.data.display());
            }
        }
        Ok(Exit::Done)
    }
}
