//! `agon submit`: a program for an arena on the web, from the shell.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use agon_referee::agent::Language;
use agon_referee::text::plain;
use agon_rules::catalog::Game;
use anyhow::{Context, anyhow, bail};
use clap::Args;
use serde_json::{Value, json};
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

use crate::exit::Exit;
use crate::options::game;
use crate::show::{self, paint};

const SUBMIT_HELP: &str = "\
Make a token on your page of the site, and put it into AGON_TOKEN. Exit code 1
when the program fails its check.

Examples:
  agon submit bot.py --game renju --server https://agon.example.org
  agon submit PYPY3:bot.py --game renju --name Stone --server http://10.0.0.1
  agon submit bot.cpp --contest friday --server https://agon.example.org";

#[derive(Args, Debug)]
#[command(after_help = SUBMIT_HELP)]
pub struct SubmitArgs {
    /// The source file; a language before it as in `PYPY3:bot.py`
    file: String,

    /// What it plays: into the contest that every site has of this game
    #[arg(long, value_parser = game(), required_unless_present = "contest")]
    game: Option<Game>,

    /// The contest, by its address: `friday` of https://…/ladder/friday
    #[arg(long, value_name = "NAME", conflicts_with = "game")]
    contest: Option<String>,

    /// The address of the site
    #[arg(long, value_name = "URL", env = "AGON_SERVER")]
    server: String,

    /// The name of the program [default: that of the file]
    #[arg(long)]
    name: Option<String>,

    /// The team whose program it is [default: it is yours]
    #[arg(long)]
    team: Option<String>,

    /// The token, better given in the environment
    #[arg(long, env = "AGON_TOKEN", hide_env_values = true)]
    token: Option<String>,

    /// Do not wait for the check
    #[arg(long)]
    no_wait: bool,
}

/// How often the site is asked how far the check is, and for how long.
const EVERY: Duration = Duration::from_secs(1);
const PATIENCE: Duration = Duration::from_mins(30);

/// How long one answer may take.
const ANSWER: Duration = Duration::from_secs(30);

/// Submits the program, and follows its check.
pub fn run(args: &SubmitArgs) -> anyhow::Result<Exit> {
    let token =
        args.token.as_ref().context("no token: make one on your page of the site, and put it into AGON_TOKEN")?;
    let (language, path) = source(&args.file)?;
    let text = fs::read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let text = String::from_utf8(text).map_err(|_| anyhow!("`{}` is no UTF-8 text", path.display()))?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = args.name.clone().or(stem).unwrap_or_default();
    let site = Server::new(&args.server, token)?;
    let contest = args.contest.as_deref().or(args.game.map(Game::name)).unwrap_or_default();
    let team = args.team.as_deref().unwrap_or_default();
    let draft = json!({ "contest": contest, "name": name, "language": language.name(), "source": text, "team": team });
    let taken = site.ask("/api/v1/submissions", Some(&draft))?;
    let version = taken["version"].as_i64().context("the server's answer has no version")?;
    anstream::println!("submitted: {}", plain(taken["address"].as_str().unwrap_or_default()));
    if args.no_wait {
        return Ok(Exit::Done);
    }
    let (begun, mut last) = (Instant::now(), String::new());
    while begun.elapsed() < PATIENCE {
        let told = site.ask(&format!("/api/v1/versions/{version}"), None)?;
        let state = told["state"].as_str().unwrap_or_default();
        if state != last {
            state.clone_into(&mut last);
            match state {
                "passed" => {
                    let number = &told["number"];
                    anstream::println!("{} version {number} is on the ladder", paint(show::GOOD, "passed:"));
                    return Ok(Exit::Done);
                }
                "failed" => {
                    let message = plain(told["message"].as_str().unwrap_or_default());
                    anstream::println!("{} {message}", paint(show::ERROR, "failed:"));
                    return Ok(Exit::No);
                }
                other => anstream::println!("{}", plain(other)),
            }
        }
        thread::sleep(EVERY);
    }
    bail!("the check has not ended within {} minutes; look at its page", PATIENCE.as_secs() / 60)
}

/// The language and the path of a source file.
fn source(text: &str) -> anyhow::Result<(Language, PathBuf)> {
    if let Some((language, path)) = text.split_once(':').and_then(|(name, path)| Some((Language::by_name(name)?, path)))
    {
        return Ok((language, path.into()));
    }
    let unknown = || format!("the language of `{text}` is not known by its name: {} expected", Language::EXTENSIONS);
    Ok((Language::by_extension(Path::new(text)).with_context(unknown)?, text.into()))
}

/// A site that is asked with a token.
struct Server {
    agent: Agent,
    address: String,
    token: String,
}

impl Server {
    fn new(address: &str, token: &str) -> anyhow::Result<Self> {
        if !["http://", "https://"].iter().any(|scheme| address.starts_with(scheme)) {
            bail!("--server is `{address}`: an address such as https://agon.example.org expected");
        }
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let config = Agent::config_builder().tls_config(tls).timeout_global(Some(ANSWER)).http_status_as_error(false);
        // A redirection would carry the token to where nobody has meant it to go.
        let agent = config.max_redirects(0).build().new_agent();
        Ok(Self { agent, address: address.trim_end_matches('/').to_owned(), token: token.trim().to_owned() })
    }

    /// Sends JSON, or asks, and returns the answer; of a refusal its reason as an error.
    fn ask(&self, path: &str, body: Option<&Value>) -> anyhow::Result<Value> {
        let address = format!("{}{path}", self.address);
        let bearer = format!("Bearer {}", self.token);
        let sent = match body {
            Some(body) => {
                let request = self.agent.post(&address).header("authorization", bearer);
                request.header("content-type", "application/json").send(body.to_string())
            }
            None => self.agent.get(&address).header("authorization", bearer).call(),
        };
        let mut answer = sent.with_context(|| format!("cannot reach {}", self.address))?;
        let status = answer.status();
        let text = answer.body_mut().read_to_string().context("the server's answer")?;
        let told: Value = serde_json::from_str(&text)
            .map_err(|_| anyhow!("{} answers {status} and no JSON: is it a site of Agon?", self.address))?;
        if status.is_success() {
            return Ok(told);
        }
        bail!("{} refuses: {}", self.address, plain(told["detail"].as_str().unwrap_or(status.as_str())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_has_a_language() {
        let check = |text: &str, wanted: (Language, &str)| {
            assert_eq!(source(text).unwrap(), (wanted.0, PathBuf::from(wanted.1)), "{text}");
        };
        check("a/bot.cpp", (Language::Cpp20, "a/bot.cpp"));
        check("PYPY3:bot.py", (Language::Pypy3, "bot.py"));
        check("C20:odd:name", (Language::C20, "odd:name"));
        assert!(source("bot.exe").unwrap_err().to_string().contains("PYTHON3:"));
    }
}
