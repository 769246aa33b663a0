//! `agon submit`: submits a program to a site from the shell.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use agon_catalog::Game;
use agon_referee::agent::sources::{Sources, main_file};
use agon_referee::agent::{Language, PackedFolder};
use agon_referee::text::plain;
use agon_site::archives::{is_archive, unpack};
use agon_site::store::CheckState;
use agon_site::submission::SubmissionDraft;
use agon_web::api::answers::{ApiGame, ApiGames, ApiSeat, ApiSubmitted, ApiVersion, ApiWinner};
use agon_web::problem::ApiProblem;
use anyhow::{Context, anyhow, bail};
use clap::Args;
use serde::Serialize;
use serde::de::DeserializeOwned;
use ureq::http::Response;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body};

use crate::exit::Exit;
use crate::options::game;
use crate::show::{self, paint};

const SUBMIT_HELP: &str = "\
Create a token on your page of the site and set AGON_TOKEN to it. Exit code 1:
the program failed its check. With --watch, rated games are printed as they end,
until Ctrl-C.

Examples:
  agon submit bot.py --game renju --server https://agon.example.org
  agon submit PYPY3:bot.py --game renju --name Stone --server http://10.0.0.1
  agon submit bot.cpp --competition friday --server http://10.0.0.1 --watch
  agon submit my_bot/ --game renju --server http://10.0.0.1

A folder has a main file and what it needs, at most 100 text files and 1 MiB;
an archive of it is a .zip or .tar.gz.";

#[derive(Args, Debug)]
#[command(after_help = SUBMIT_HELP)]
pub(crate) struct SubmitArgs {
    /// The source file, its folder or an archive; a language before it as in `PYPY3:bot.py`
    #[arg(value_name = "FILE|FOLDER")]
    file: String,

    /// A game, not a competition: submits to its permanent competition
    #[arg(long, value_parser = game(), required_unless_present = "competition")]
    game: Option<Game>,

    /// A competition, not a game: `friday` in https://…/ladder/friday
    #[arg(long, alias = "contest", value_name = "NAME", conflicts_with = "game")]
    competition: Option<String>,

    /// The address of the site
    #[arg(long, value_name = "URL", env = "AGON_SERVER")]
    server: String,

    /// Name of the program [default: that of the file]
    #[arg(long)]
    name: Option<String>,

    /// The team that owns the program [default: you]
    #[arg(long)]
    team: Option<String>,

    /// The token; the environment variable is safer
    #[arg(long, env = "AGON_TOKEN", hide_env_values = true)]
    token: Option<String>,

    /// Do not wait for the check
    #[arg(long)]
    no_wait: bool,

    /// After the check, show its rated games
    #[arg(long, conflicts_with = "no_wait")]
    watch: bool,
}

const CHECK_POLL_INTERVAL: Duration = Duration::from_secs(1);
const CHECK_TIMEOUT: Duration = Duration::from_mins(30);

const GAMES_POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Maximum number of failed requests in a row.
const MAX_FAILURES: u32 = 20;

const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) fn run(args: &SubmitArgs) -> anyhow::Result<Exit> {
    let token =
        args.token.as_ref().context("no token: create one on your page of the site, and put it into AGON_TOKEN")?;
    let read = read(&args.file)?;
    let name = args.name.clone().unwrap_or(read.name);
    let site = Server::new(&args.server, token)?;
    let competition = args.competition.clone().or(args.game.map(|game| address_of(game.name()))).unwrap_or_default();
    let mut submission = SubmissionDraft {
        competition,
        name,
        language: read.language.map(|language| language.name().to_owned()).unwrap_or_default(),
        team: args.team.clone().unwrap_or_default(),
        ..SubmissionDraft::default()
    };
    match read.content {
        Content::File(text) => submission.source = text,
        Content::Folder(folder) => submission.put_folder(&folder),
    }
    let taken: ApiSubmitted = site.send("/api/v1/submissions", &submission)?;
    anstream::println!("submitted: {}", plain(&taken.address));
    if args.no_wait {
        return Ok(Exit::Done);
    }
    let settled = site.follow(taken.version)?;
    if settled.summary.state == CheckState::Failed {
        anstream::println!("{} {}", paint(show::ERROR, "failed:"), plain(&settled.message));
        anstream::println!("the failure bundle, for a browser: {}/failure.tar.gz", plain(&taken.address));
        return Ok(Exit::No);
    }
    anstream::println!("{} version {} is on the ladder", paint(show::GOOD, "passed:"), settled.summary.number);
    if args.watch {
        site.watch(&settled)?;
    }
    Ok(Exit::Done)
}

/// What is submitted, as it was read.
struct Read {
    /// `None` if the site finds it by the main file.
    language: Option<Language>,
    /// The name of the program, if no other is given.
    name: String,
    content: Content,
}

enum Content {
    File(String),
    Folder(PackedFolder),
}

/// Reads a source file, a folder or an archive.
fn read(text: &str) -> anyhow::Result<Read> {
    let (language, path) = named(text);
    let unreadable = || format!("cannot read `{}`", path.display());
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    if path.is_dir() {
        let language = match language {
            Some(language) => language,
            None => main_file(&path, None)?.0,
        };
        let own = path.canonicalize().with_context(unreadable)?;
        let own = own.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let files = Sources::read(language, &path)?.files;
        let folder = PackedFolder::new(&own, files).map_err(|wrong| anyhow!("`{text}`: {wrong}"))?;
        return Ok(Read { language: Some(language), name: own, content: Content::Folder(folder) });
    }
    let bytes = fs::read(&path).with_context(unreadable)?;
    if is_archive(&bytes) {
        let folder = unpack(&path.to_string_lossy(), &bytes).map_err(|wrong| anyhow!("`{text}`: {wrong}"))?;
        return Ok(Read { language, name: folder.name().to_owned(), content: Content::Folder(folder) });
    }
    let unknown = || format!("the language of `{text}` is not known by its name: {} expected", Language::EXTENSIONS);
    let language = language.or_else(|| Language::by_extension(&path)).with_context(unknown)?;
    let source = String::from_utf8(bytes).map_err(|_| anyhow!("`{}` is not UTF-8 text", path.display()))?;
    Ok(Read { language: Some(language), name: stem(&path), content: Content::File(source) })
}

/// The language before a path, if there is one, and the path.
fn named(text: &str) -> (Option<Language>, PathBuf) {
    match text.split_once(':').and_then(|(name, path)| Some((Language::by_name(name)?, path))) {
        Some((language, path)) => (Some(language), path.into()),
        None => (None, text.into()),
    }
}

/// Makes requests to a site.
pub(crate) fn client() -> Agent {
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    let config =
        Agent::config_builder().tls_config(tls).timeout_global(Some(REQUEST_TIMEOUT)).http_status_as_error(false);
    // A redirection could send a token to another server.
    config.max_redirects(0).build().new_agent()
}

pub(crate) struct Server {
    agent: Agent,
    address: String,
    token: String,
}

impl Server {
    pub(crate) fn new(address: &str, token: &str) -> anyhow::Result<Self> {
        if !["http://", "https://"].iter().any(|scheme| address.starts_with(scheme)) {
            bail!("--server is `{address}`: an address such as https://agon.example.org expected");
        }
        Ok(Self { agent: client(), address: address.trim_end_matches('/').to_owned(), token: token.trim().to_owned() })
    }

    fn send<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> anyhow::Result<T> {
        let request = self.agent.post(format!("{}{path}", self.address)).header("authorization", self.bearer());
        let body = serde_json::to_string(body)?;
        self.read(request.header("content-type", "application/json").send(body))
    }

    pub(crate) fn ask<T: DeserializeOwned>(&self, path: &str) -> anyhow::Result<T> {
        let request = self.agent.get(format!("{}{path}", self.address));
        self.read(request.header("authorization", self.bearer()).call())
    }

    pub(crate) fn put<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> anyhow::Result<T> {
        let request = self.agent.put(format!("{}{path}", self.address)).header("authorization", self.bearer());
        let body = serde_json::to_string(body)?;
        self.read(request.header("content-type", "application/json").send(body))
    }

    pub(crate) fn delete(&self, path: &str) -> anyhow::Result<()> {
        let request = self.agent.delete(format!("{}{path}", self.address));
        self.answered(request.header("authorization", self.bearer()).call()).map(drop)
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    /// Reads an answer; of a refusal all that the site says of it is the error.
    fn read<T: DeserializeOwned>(&self, sent: Result<Response<Body>, ureq::Error>) -> anyhow::Result<T> {
        let text = self.answered(sent)?;
        serde_json::from_str(&text).map_err(|_| anyhow!("{} does not answer as a site of Agon does", self.address))
    }

    /// The text of an answer that is no refusal.
    fn answered(&self, sent: Result<Response<Body>, ureq::Error>) -> anyhow::Result<String> {
        let mut answer = sent.with_context(|| format!("cannot reach {}", self.address))?;
        let status = answer.status();
        let text = answer.body_mut().read_to_string().context("the server's answer")?;
        let strange = |_| anyhow!("{} answers {status}, but not as a site of Agon does", self.address);
        if status.is_success() {
            return Ok(text);
        }
        let problem: ApiProblem = serde_json::from_str(&text).map_err(strange)?;
        let field = problem.field.map(|field| format!("`{}`: ", plain(&field))).unwrap_or_default();
        bail!("{} refuses ({status}): {field}{}", self.address, plain(&problem.detail))
    }

    /// Follows the check of a version to its end, and prints each change.
    fn follow(&self, version: i64) -> anyhow::Result<ApiVersion> {
        let (begun, mut last, mut failed) = (Instant::now(), String::new(), 0);
        while begun.elapsed() < CHECK_TIMEOUT {
            match self.ask::<ApiVersion>(&format!("/api/v1/versions/{version}")) {
                Ok(found) if matches!(found.summary.state, CheckState::Failed | CheckState::Passed) => {
                    return Ok(found);
                }
                Ok(found) => {
                    failed = 0;
                    if found.words != last {
                        anstream::println!("{}", plain(&found.words));
                        last = found.words;
                    }
                }
                // After a restart of the site or a short loss of the network the submission is still there.
                Err(_) if failed < MAX_FAILURES => failed += 1,
                Err(error) => return Err(error),
            }
            thread::sleep(CHECK_POLL_INTERVAL);
        }
        bail!("the check has not ended within {} minutes; look at its page", CHECK_TIMEOUT.as_secs() / 60)
    }

    fn watch(&self, version: &ApiVersion) -> anyhow::Result<()> {
        let (mut last, mut failed) = (None, 0);
        loop {
            let path = format!("/api/v1/games?program={}&kind=ladder&limit=20", version.program);
            match self.ask::<ApiGames>(&path) {
                Ok(found) => {
                    failed = 0;
                    let newer = |game: &&ApiGame| last.is_none_or(|last| game.id > last);
                    let mut fresh: Vec<&ApiGame> = found.games.iter().filter(newer).collect();
                    fresh.reverse();
                    for game in fresh {
                        last = Some(game.id);
                        if let Some(line) = describe(game, version) {
                            anstream::println!("{}", plain(&line));
                        }
                    }
                }
                Err(_) if failed < MAX_FAILURES => failed += 1,
                Err(error) => return Err(error),
            }
            thread::sleep(GAMES_POLL_INTERVAL);
        }
    }
}

/// A game in one line, from the side of a version; `None` if the version did not play it.
fn describe(game: &ApiGame, version: &ApiVersion) -> Option<String> {
    let own = |seat: &ApiSeat| seat.program == version.program && seat.version == Some(version.summary.number);
    let at = game.seats.iter().position(own)?;
    let other = game.seats.get(1 - at)?;
    let outcome = match (game.winner?, at) {
        (ApiWinner::Draw, _) => "drawn with",
        (ApiWinner::Void, _) => "void against",
        (ApiWinner::First, 0) | (ApiWinner::Second, 1) => "won against",
        _ => "lost to",
    };
    let rating = game.seats[at].rating.map_or_else(String::new, |rating| format!(", Elo {rating:.0}"));
    Some(format!("game {}: {outcome} {}: {}{rating}", game.id, other.name, game.reason))
}

/// The address of a game's own competition: its name, without the digest of the rules, whichever a site has.
pub(crate) fn address_of(game: &str) -> String {
    game.split('@').next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use agon_web::api::answers::{ApiKind, ApiVersionSummary};

    use super::*;

    #[test]
    fn a_game_of_ones_own_has_a_competition_of_its_name() {
        assert_eq!((address_of("heap@0123456789ab").as_str(), address_of("renju").as_str()), ("heap", "renju"));
    }

    #[test]
    fn a_game_is_described_from_the_side_of_the_version() {
        let seat = |program, version, name: &str| ApiSeat {
            program,
            name: name.to_owned(),
            version,
            verdict: None,
            time_ms: None,
            rating: Some(1516.4),
        };
        let mut game = ApiGame {
            id: 9,
            competition: "renju".to_owned(),
            game: "renju".to_owned(),
            kind: ApiKind::Ladder,
            final_id: None,
            seats: vec![seat(1, None, "champion:1"), seat(4, Some(2), "bot")],
            winner: Some(ApiWinner::Second),
            reason: "five".to_owned(),
            reason_key: None,
            reason_arguments: BTreeMap::new(),
            plies: 30,
            repeats: None,
            begun: 0,
        };
        let summary = ApiVersionSummary {
            id: 7,
            number: 2,
            language: "PYTHON3".to_owned(),
            state: CheckState::Passed,
            games: 0,
            reads_openings: None,
            submitted: 0,
        };
        let mut version = ApiVersion {
            summary,
            program: 4,
            name: "bot".to_owned(),
            competition: "renju".to_owned(),
            words: String::new(),
            message: String::new(),
            given_up: false,
            game: None,
        };
        assert_eq!(describe(&game, &version).unwrap(), "game 9: won against champion:1: five, Elo 1516");
        game.winner = Some(ApiWinner::First);
        assert_eq!(describe(&game, &version).unwrap(), "game 9: lost to champion:1: five, Elo 1516");
        version.summary.number = 3;
        assert_eq!(describe(&game, &version), None, "another version's");
    }

    #[test]
    fn a_source_has_a_language() {
        let check = |text: &str, wanted: (Option<Language>, &str)| {
            assert_eq!(named(text), (wanted.0, PathBuf::from(wanted.1)), "{text}");
        };
        check("a/bot.cpp", (None, "a/bot.cpp"));
        check("PYPY3:bot.py", (Some(Language::Pypy3), "bot.py"));
        check("C20:odd:name", (Some(Language::C20), "odd:name"));
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        fs::write(path("bot.exe"), "1").unwrap();
        assert!(read(&path("bot.exe")).err().unwrap().to_string().contains("PYTHON3:"));
        fs::write(path("bot.cpp"), "int main() {}").unwrap();
        let file = read(&path("bot.cpp")).unwrap();
        assert_eq!((file.language, file.name.as_str()), (Some(Language::Cpp20), "bot"));
    }

    #[test]
    fn a_folder_is_read_as_it_is_played() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("my_bot");
        fs::create_dir_all(folder.join("lib")).unwrap();
        for (name, text) in [("main.py", "import lib.board"), ("lib/board.py", ""), (".hidden", "x"), ("a.pyc", "x")] {
            fs::write(folder.join(name), text).unwrap();
        }
        let path = folder.display().to_string();
        let found = read(&path).unwrap();
        let Content::Folder(packed) = &found.content else { panic!("no folder") };
        assert_eq!((found.language, found.name.as_str()), (Some(Language::Python3), "my_bot"));
        assert_eq!(
            packed.files().iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["lib/board.py", "main.py"]
        );
        assert_eq!(read(&format!("PYPY3:{path}")).unwrap().language, Some(Language::Pypy3));
        std::os::unix::fs::symlink("/etc/passwd", folder.join("data")).unwrap();
        assert!(read(&path).err().unwrap().to_string().contains("`data` is a link"));
        fs::remove_file(folder.join("data")).unwrap();
        fs::write(folder.join("net.bin"), [0, 159, 146]).unwrap();
        assert!(read(&path).err().unwrap().to_string().contains("`net.bin` is not a text file"));
    }
}
