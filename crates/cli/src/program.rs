//! `agon program`: withdraws, renames and deletes programs on a site from the shell.

use agon_referee::text::plain;
use agon_web::api::answers::{ApiMe, ApiProgram};
use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use serde_json::json;

use crate::exit::Exit;
use crate::options::game;
use crate::submit::{Server, address_of};
use agon_catalog::Game;

const PROGRAM_HELP: &str = "\
A program is named as on the site. For a team's program, or where two of yours
have one name, give its number: 12 in https://…/program/12. The token is the
one of `agon submit`.

Examples:
  agon program withdraw bot --server https://agon.example.org
  agon program rename bot Stone --server https://agon.example.org
  agon program delete 12 --yes --server https://agon.example.org";

const WITHDRAW_HELP: &str = "\
It plays no more games, leaves the ladder and frees its place among your
programs; its games stay, and running games and finals are played to their end.

Example:
  agon program withdraw bot --server https://agon.example.org";

const RETURN_HELP: &str = "\
It plays again with the version and the rating that it had.

Example:
  agon program return bot --game renju --server https://agon.example.org";

const RENAME_HELP: &str = "\
Records of games and tables of finals keep the old name. Submit new versions
under the new one: the old one would make a new program.

Example:
  agon program rename bto bot --competition friday --server http://10.0.0.1";

const DELETE_HELP: &str = "\
It is deleted with all its versions and checks, for good. A program that has
played on the ladder or is in a final can only be withdrawn.

Example:
  agon program delete 12 --yes --server https://agon.example.org";

#[derive(Subcommand, Debug)]
#[command(after_help = PROGRAM_HELP)]
pub(crate) enum ProgramCommand {
    /// Take a program off its ladder; its games stay, and it can return
    #[command(after_help = WITHDRAW_HELP)]
    Withdraw(ProgramArgs),
    /// Let a withdrawn program play again
    #[command(after_help = RETURN_HELP)]
    Return(ProgramArgs),
    /// Give a program another name
    #[command(after_help = RENAME_HELP)]
    Rename(RenameArgs),
    /// Delete a program that has not played on the ladder
    #[command(after_help = DELETE_HELP)]
    Delete(DeleteArgs),
}

#[derive(Args, Debug)]
pub(crate) struct ProgramArgs {
    /// The program: its name, or its number
    program: String,

    #[command(flatten)]
    site: SiteArgs,
}

#[derive(Args, Debug)]
pub(crate) struct RenameArgs {
    /// The program: its name, or its number
    program: String,

    /// Its new name
    name: String,

    #[command(flatten)]
    site: SiteArgs,
}

#[derive(Args, Debug)]
pub(crate) struct DeleteArgs {
    /// The program: its name, or its number
    program: String,

    /// Delete it; without this, nothing is deleted
    #[arg(long)]
    yes: bool,

    #[command(flatten)]
    site: SiteArgs,
}

#[derive(Args, Debug)]
struct SiteArgs {
    /// A game, not a competition: looks in its permanent competition
    #[arg(long, value_parser = game())]
    game: Option<Game>,

    /// A competition, not a game: `friday` in https://…/ladder/friday
    #[arg(long, value_name = "NAME", conflicts_with = "game")]
    competition: Option<String>,

    /// The address of the site
    #[arg(long, value_name = "URL", env = "AGON_SERVER")]
    server: String,

    /// The token; the environment variable is safer
    #[arg(long, env = "AGON_TOKEN", hide_env_values = true)]
    token: Option<String>,
}

pub(crate) fn run(command: &ProgramCommand) -> anyhow::Result<Exit> {
    match command {
        ProgramCommand::Withdraw(args) => set_withdrawn(args, true),
        ProgramCommand::Return(args) => set_withdrawn(args, false),
        ProgramCommand::Rename(args) => {
            let site = args.site.server()?;
            let id = args.site.find(&site, &args.program)?;
            let renamed: ApiProgram =
                site.put(&format!("/api/v1/programs/{id}/name"), &json!({ "name": args.name }))?;
            anstream::println!("{} is now {}", plain(&args.program), plain(&renamed.name));
            Ok(Exit::Done)
        }
        ProgramCommand::Delete(args) => {
            if !args.yes {
                bail!("`{}` is deleted with all its versions, for good: confirm with --yes", args.program);
            }
            let site = args.site.server()?;
            let id = args.site.find(&site, &args.program)?;
            site.delete(&format!("/api/v1/programs/{id}"))?;
            anstream::println!("deleted: {}", plain(&args.program));
            Ok(Exit::Done)
        }
    }
}

fn set_withdrawn(args: &ProgramArgs, on: bool) -> anyhow::Result<Exit> {
    let site = args.site.server()?;
    let id = args.site.find(&site, &args.program)?;
    let program: ApiProgram = site.put(&format!("/api/v1/programs/{id}/withdrawn"), &json!({ "on": on }))?;
    let (name, competition) = (plain(&program.name), plain(&program.competition));
    if on {
        anstream::println!("withdrawn: {name} plays no more games in {competition}");
    } else {
        anstream::println!("returned: {name} plays in {competition} again");
    }
    Ok(Exit::Done)
}

impl SiteArgs {
    fn server(&self) -> anyhow::Result<Server> {
        let token = self.token.as_ref();
        let token = token.context("no token: create one on your page of the site, and put it into AGON_TOKEN")?;
        Server::new(&self.server, token)
    }

    /// The number of a program with this name, or this number.
    fn find(&self, site: &Server, text: &str) -> anyhow::Result<i64> {
        let own: ApiMe = site.ask("/api/v1/me")?;
        let competition = self.competition.clone().or(self.game.map(|game| address_of(game.name())));
        choose(&own.programs, text, competition.as_deref())
    }
}

/// The number of the program that a text names, among those of a competition if one is given.
fn choose(own: &[ApiProgram], text: &str, competition: Option<&str>) -> anyhow::Result<i64> {
    let named = own.iter().filter(|program| program.name.to_lowercase() == text.to_lowercase());
    let found: Vec<&ApiProgram> =
        named.filter(|program| competition.is_none_or(|slug| program.competition == slug)).collect();
    match found[..] {
        [one] => Ok(one.id),
        [] => text.parse().ok().with_context(|| {
            let place = competition.map(|slug| format!(" in `{slug}`")).unwrap_or_default();
            let names: Vec<String> = own.iter().map(|program| format!("`{}`", plain(&program.name))).collect();
            let yours =
                if names.is_empty() { "you have none".to_owned() } else { format!("yours: {}", names.join(", ")) };
            format!("no program of yours named `{text}`{place}; {yours}")
        }),
        _ => {
            let places: Vec<String> =
                found.iter().map(|program| format!("{} in {}", program.id, plain(&program.competition))).collect();
            bail!("several programs are named `{text}`: give the number ({}) or --competition", places.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_found_by_name_or_number() {
        let program = |id, name: &str, competition: &str| {
            let value = json!({
                "id": id, "name": name, "owner": "ada", "team": false, "contest": competition, "game": "renju",
                "version": null, "rating": 1500.0, "fixed": false, "barred": false, "withdrawn": false,
                "by_hand": false, "all_games": null, "games": 0, "wins": 0, "draws": 0, "losses": 0, "faults": 0,
                "repeats": 0, "form": "", "created": 0,
            });
            serde_json::from_value::<ApiProgram>(value).unwrap()
        };
        let own = [program(3, "bot", "renju"), program(4, "Bot", "friday"), program(5, "stone", "renju")];
        let check = |text: &str, competition, wanted: Result<i64, &str>| match (choose(&own, text, competition), wanted)
        {
            (Ok(found), Ok(wanted)) => assert_eq!(found, wanted, "{text}"),
            (Err(found), Err(wanted)) => assert!(found.to_string().contains(wanted), "{found}"),
            (found, _) => panic!("{text}: {found:?}"),
        };
        check("STONE", None, Ok(5));
        check("bot", Some("friday"), Ok(4));
        check("bot", None, Err("several programs are named `bot`: give the number (3 in renju, 4 in friday)"));
        check("12", None, Ok(12));
        check("rock", None, Err("no program of yours named `rock`; yours: `bot`, `Bot`, `stone`"));
        check("stone", Some("friday"), Err("named `stone` in `friday`"));
    }
}
