//! From a file of rules to a row of the catalogue.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use agon_catalog::{
    Builtin, Capability, CurveRules, Game, GameClock, GameEntry, GameParameter, GameStart, Illustrations, OPENING,
    OpeningRules, register,
};

use crate::description::Description;
use crate::face::{Face, FaceHandle};
use crate::limits::{IDLE_POLL, IDLE_TIME, MAX_FILE_BYTES};
use crate::load_error::LoadError;
use crate::players::LEVEL_STEPS;
use crate::rules::Rules;
use crate::source::{RulesFile, RulesSource, read};

/// Number of digits of the rules' digest in the name of their game.
const DIGEST_LETTERS: usize = 12;

/// The page of a game, next to its rules.
const PAGE: &str = "README.md";

/// Loaded games, by the absolute paths of the rules and their digests.
static LOADED: Mutex<Vec<(PathBuf, String, Game)>> = Mutex::new(Vec::new());

/// The rules behind the registered rows.
static FACES: Mutex<Vec<&'static Face>> = Mutex::new(Vec::new());

/// The rules of a game that was loaded.
pub(crate) fn face_of(game: Game) -> Option<&'static Face> {
    let faces = FACES.lock().unwrap_or_else(PoisonError::into_inner);
    faces.iter().copied().find(|face| face.name == game.name())
}

/// The file or folder of the rules of a game that was loaded.
pub fn path_of(game: Game) -> Option<&'static Path> {
    face_of(game).map(|face| face.path.as_path())
}

/// The files of a game that was loaded: its rules, then its samples and its page.
pub fn files_of(game: Game) -> Option<&'static [RulesFile]> {
    face_of(game).map(|face| face.files.as_slice())
}

/// In a process that was forked from one with loaded games: uses processes of its own from now on.
pub fn disown() {
    if let Ok(faces) = FACES.try_lock() {
        faces.iter().for_each(|face| face.rules.disown());
    }
}

/// Makes the rules in a file, or in the file `rules` of a folder, a game of the catalogue, once for each content. The
/// game is called by the name that the rules say, `@`, and the beginning of their digest: changed rules are another
/// game. A folder may hold its page, `README.md`, and samples, `sample.py` and the like.
///
/// # Errors
/// [`LoadError`].
pub fn load(path: &Path) -> Result<Game, LoadError> {
    let source = RulesSource::find(path)?;
    let (file, digest) = (source.path.clone(), source.digest.clone());
    let whole = fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((.., game)) = loaded.iter().find(|(path, known, _)| *path == whole && *known == digest) {
        return Ok(*game);
    }
    let program = source.prepare()?;
    let described = Rules::describe(&program);
    let (description, process) = described.map_err(|problem| LoadError::Failed { path: file.clone(), problem })?;
    if Game::by_name(&description.name).is_some_and(|game| !game.is_program()) {
        return Err(LoadError::Taken { path: file, name: description.name });
    }
    let name = format!("{}@{}", description.name, &digest[..DIGEST_LETTERS]);
    let game = match Game::all().into_iter().find(|game| game.name() == name && !game.is_missing()) {
        Some(game) => game,
        None => {
            let seats = [leak(&description.seats[0]), leak(&description.seats[1])];
            let rules = Rules::new(program, description, seats, process);
            register(row(leak(&name), rules, path, source.files)?)
                .map_err(|problem| LoadError::Failed { path: file.clone(), problem })?
        }
    };
    loaded.push((whole, digest, game));
    Ok(game)
}

/// Regularly ends idle processes of all games while this process runs.
fn end_idle_processes() {
    static BEGUN: OnceLock<bool> = OnceLock::new();
    BEGUN.get_or_init(|| {
        let look = || loop {
            thread::sleep(IDLE_POLL);
            let faces = FACES.lock().unwrap_or_else(PoisonError::into_inner).clone();
            for face in faces {
                face.rules.end_idle(IDLE_TIME);
            }
        };
        thread::Builder::new().name("rules".to_owned()).spawn(look).is_ok()
    });
}

/// A row lives as long as the program, and so do its texts.
fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn leak_all<T>(items: Vec<T>) -> &'static [T] {
    Box::leak(items.into_boxed_slice())
}

fn row(
    name: &'static str,
    rules: Rules,
    path: &Path,
    mut files: Vec<RulesFile>,
) -> Result<&'static GameEntry, LoadError> {
    // In its own folder, the only file of rules gets the name by which it is found there.
    if let [only] = &mut files[..] {
        let extension = Path::new(&only.name).extension().map(|extension| extension.to_string_lossy().into_owned());
        only.name = extension.map_or_else(|| "rules".to_owned(), |extension| format!("rules.{extension}"));
    }
    let (samples, page) = beside(path, &mut files)?;
    let Description { title, summary, rules: points, parameters: given, save, moves, playout, draws, .. } =
        rules.description.clone();
    let has_turns = rules.description.has_turns();
    let seats = rules.seats;
    let parameter = |parameter: &crate::description::Parameter| GameParameter {
        name: leak(&parameter.name),
        meaning: leak(&parameter.meaning),
        values: leak(&parameter.range.replace("..", " to ").replace('|', " or ")),
        default: leak(&parameter.default),
    };
    let mut parameters: Vec<GameParameter> = given.iter().map(parameter).collect();
    if has_turns {
        parameters.push(OPENING);
    }
    let parameters = leak_all(parameters);
    let named = rules.description.clocks.iter();
    let clock = |[name, clock, meaning]: &[String; 3]| GameClock {
        name: leak(name),
        clock: leak(clock),
        meaning: leak(meaning),
    };
    let clocks = leak_all(named.map(clock).collect());
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let face: &'static Face = Box::leak(Box::new(Face { rules, name, path: whole, parameters, clocks, files }));
    FACES.lock().unwrap_or_else(PoisonError::into_inner).push(face);
    end_idle_processes();
    let handle: &'static FaceHandle = Box::leak(Box::new(FaceHandle(face)));
    let mut builtins = Vec::new();
    if moves {
        builtins.push(Builtin::program("random", "every legal move with equal probability").rated(400.0));
    }
    if has_turns {
        builtins.push(Builtin::program("greedy", "the move after which its score is best").rated(600.0));
        if save && playout {
            builtins.push(
                Builtin::program("mcts", "UCT: plays many games to their ends by random moves")
                    .with_level_steps(LEVEL_STEPS),
            );
        }
    }
    let best = builtins.get(1).or(builtins.first()).map_or("", |builtin| builtin.name);
    Ok(Box::leak(Box::new(GameEntry {
        name,
        title: leak(&title),
        short_title: leak(&title),
        summary: leak(&summary),
        rules: leak_all(points.iter().map(|point| leak(point)).collect()),
        page,
        illustrations: Illustrations::NONE,
        source: "",
        example: "",
        seats,
        samples,
        situations: &[],
        parameters,
        can_be_drawn: draws,
        start: GameStart::Program(handle),
        builtins: leak_all(builtins),
        programs: |_| None,
        defaults: [best, best],
        openings: OpeningRules::ANY,
        size: None,
        capabilities: if save && playout && has_turns { &[Capability::Lines] } else { &[] },
        curve: CurveRules {
            nodes: 200,
            scale: 5.0,
            meaning: "What mcts expects after every move, from −10 to 10",
            note: "",
        },
    })))
}

type Samples = &'static [(&'static str, &'static str)];

/// The extensions of samples.
const SAMPLES: [&str; 7] = ["c", "cpp", "java", "py", "rs", "js", "rb"];

/// The samples and the page next to the rules in their folder, which become files of the game.
fn beside(path: &Path, files: &mut Vec<RulesFile>) -> Result<(Samples, &'static str), LoadError> {
    let mut samples = Vec::new();
    if !path.is_dir() {
        return Ok((&[], leak(&path.display().to_string())));
    }
    let mut add = |name: String, bytes: &[u8]| files.push(RulesFile { name, bytes: bytes.into(), executable: false });
    for extension in SAMPLES {
        let name = format!("sample.{extension}");
        if path.join(&name).is_file() {
            let bytes = read(&path.join(&name), MAX_FILE_BYTES)?;
            samples.push((extension, leak(&String::from_utf8_lossy(&bytes))));
            add(name, &bytes);
        }
    }
    let page = path.join(PAGE);
    if page.is_file() {
        add(PAGE.to_owned(), &read(&page, MAX_FILE_BYTES)?);
        return Ok((leak_all(samples), leak(&page.display().to_string())));
    }
    Ok((leak_all(samples), leak(&path.display().to_string())))
}
