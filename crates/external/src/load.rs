//! From a file of rules to a row of the catalogue.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use agon_catalog::{
    Builtin, Capability, CurveRules, Game, GameClock, GameEntry, GameParameter, GameStart, OPENING, OpeningRules,
    register,
};
use agon_game::hash::hex;
use agon_referee::agent::{AgentError, AgentSpec, Language, Prepared};
use agon_referee::limits::GameLimits;
use sha2::{Digest, Sha256};

use crate::description::Description;
use crate::face::{Face, FaceHandle};
use crate::limits::MAX_MEMORY_MIB;
use crate::players::LEVEL_STEPS;
use crate::rules::Rules;

/// Bytes of one file of a folder: rules, page, samples.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Number of digits of the rules' digest in the name of their game.
const DIGEST_LETTERS: usize = 12;

/// Reason why a file is not a game.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error(
        "`{}` has no rules: a file `rules` with the extension of a language ({}) is expected in the folder",
        path.display(), Language::EXTENSIONS
    )]
    NoRules { path: PathBuf },
    #[error("`{}` is not a program of rules: unknown extension ({} expected)", path.display(), Language::EXTENSIONS)]
    NoLanguage { path: PathBuf },
    #[error("`{}` has more than {} KiB", path.display(), MAX_FILE_BYTES >> 10)]
    TooLarge { path: PathBuf },
    #[error("the rules in `{}` do not compile: {message}", path.display())]
    NotCompiled { path: PathBuf, message: String },
    #[error("the rules in `{}`: {source}", path.display())]
    NotPrepared { path: PathBuf, source: AgentError },
    #[error("the rules in `{}` failed: {problem}; `agon game check` tries all that they must answer", path.display())]
    Failed { path: PathBuf, problem: String },
    #[error("the rules in `{}` call their game `{name}`, as a built-in one: choose another name", path.display())]
    Taken { path: PathBuf, name: String },
}

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

/// In a process forked from one that has loaded games: uses its own processes from now on.
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
    let file = rules_file(path)?;
    let bytes = read(&file)?;
    let digest = hex(&Sha256::digest(&bytes));
    let whole = fs::canonicalize(&file).unwrap_or_else(|_| file.clone());
    let mut loaded = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((.., game)) = loaded.iter().find(|(path, known, _)| *path == whole && *known == digest) {
        return Ok(*game);
    }
    let language = Language::by_extension(&file).ok_or_else(|| LoadError::NoLanguage { path: file.clone() })?;
    let limits = GameLimits { memory_mib: MAX_MEMORY_MIB, ..GameLimits::default() };
    let prepared = AgentSpec::source(language, file.clone()).prepare(&limits);
    let program = match prepared.map_err(|source| LoadError::NotPrepared { path: file.clone(), source })? {
        Prepared::Program(program) => program,
        Prepared::Broken(fault) => return Err(LoadError::NotCompiled { path: file, message: fault.reason.text }),
        Prepared::Builtin(_) => return Err(LoadError::NoLanguage { path: file }),
    };
    let described = Rules::describe(&program);
    let (description, process) = described.map_err(|problem| LoadError::Failed { path: file.clone(), problem })?;
    if Game::by_name(&description.name).is_some_and(|game| !game.is_program()) {
        return Err(LoadError::Taken { path: file, name: description.name });
    }
    let name = format!("{}@{}", description.name, &digest[..DIGEST_LETTERS]);
    let game = match Game::all().into_iter().find(|game| game.name() == name) {
        Some(game) => game,
        None => {
            let seats = [leak(&description.seats[0]), leak(&description.seats[1])];
            let rules = Rules::new(program, description, seats, process);
            register(row(leak(&name), rules, path)?)
                .map_err(|problem| LoadError::Failed { path: file.clone(), problem })?
        }
    };
    loaded.push((whole, digest, game));
    Ok(game)
}

/// The file of the rules: the path itself, or the one in a folder.
fn rules_file(path: &Path) -> Result<PathBuf, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    if !fs::metadata(path).map_err(unreadable)?.is_dir() {
        return Ok(path.to_owned());
    }
    let mut files: Vec<PathBuf> =
        fs::read_dir(path).map_err(unreadable)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let rules = |file: &PathBuf| file.file_stem().is_some_and(|stem| stem == "rules");
    let found = files.into_iter().find(|file| rules(file) && Language::by_extension(file).is_some());
    found.ok_or_else(|| LoadError::NoRules { path: path.to_owned() })
}

/// Returns true if this is a folder with a file `rules` in a known language.
pub fn is_rules_folder(path: &Path) -> bool {
    path.is_dir() && rules_file(path).is_ok()
}

fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let size = fs::metadata(path).map_err(unreadable)?.len();
    if size > MAX_FILE_BYTES {
        return Err(LoadError::TooLarge { path: path.to_owned() });
    }
    fs::read(path).map_err(|source| LoadError::Unreadable { path: path.to_owned(), source })
}

/// A row lives as long as the program, and so do its texts.
fn leak(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn leak_all<T>(items: Vec<T>) -> &'static [T] {
    Box::leak(items.into_boxed_slice())
}

fn row(name: &'static str, rules: Rules, path: &Path) -> Result<&'static GameEntry, LoadError> {
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
    let face: &'static Face = Box::leak(Box::new(Face { rules, name, path: whole, parameters, clocks }));
    FACES.lock().unwrap_or_else(PoisonError::into_inner).push(face);
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
    let (samples, page) = beside(path)?;
    Ok(Box::leak(Box::new(GameEntry {
        name,
        title: leak(&title),
        short_title: leak(&title),
        summary: leak(&summary),
        rules: leak_all(points.iter().map(|point| leak(point)).collect()),
        page,
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

/// Returns the samples and the page beside the rules.
fn beside(path: &Path) -> Result<(Samples, &'static str), LoadError> {
    let folder = if path.is_dir() { path } else { path.parent().unwrap_or(Path::new("")) };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut samples = Vec::new();
    for extension in ["c", "cpp", "java", "py", "rs", "js", "rb"] {
        let file = folder.join(format!("sample.{extension}"));
        if path.is_dir() && file.is_file() {
            samples.push((extension, leak(&String::from_utf8_lossy(&read(&file)?))));
        }
    }
    let page = folder.join("README.md");
    let page = if path.is_dir() && page.is_file() { page.display().to_string() } else { path.display().to_string() };
    Ok((leak_all(samples), leak(&page)))
}
