//! `agon serve`: a site.

use std::fs::{self, File};
use std::io::BufWriter;
use std::iter;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::thread;

use agon_boards::limits::LimitRow;
use agon_catalog::Game;
use agon_fleet::DEFAULT_AUDIT;
use agon_jobs::Progress as _;
use agon_message::Locale;
use agon_referee::clock::Clock;
use agon_referee::limits::GameLimits;
use agon_site::accounts;
use agon_site::clock::now;
use agon_site::error::Refusal;
use agon_site::store::{Origin, Retention, SiteStore};
use agon_site::totp;
use agon_web::{FleetOptions, LogFormat, SiteOptions};
use anyhow::{Context, anyhow, bail};
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use crate::amount::{self, Age, DiskSize, mebibytes};
use crate::demo::DemoArgs;
use crate::exit::Exit;
use crate::jail::JailArgs;
use crate::nats::{FLEET, FLEET_KEY, NatsAccess, SigningArgs, share, timing};
use crate::options::{Format, OutputArgs};
use crate::progress::Bar;
use crate::rules;
use crate::show::{self, paint};
use crate::span::{A_DAY, TimeSpan, time};

const SERVE_HELP: &str = "\
The first start prints a link that makes you the administrator. All data is in
one folder.

Examples:
  agon serve
  agon serve --data /var/lib/agon --base-url https://agon.example.org
  agon serve --workers 0 --nats nats://127.0.0.1
  agon serve backup --data /var/lib/agon monday.db
  agon serve export --data /var/lib/agon site.tar.gz
  agon serve recover --data /var/lib/agon ada
  agon serve demo --data demo-site";

#[allow(clippy::struct_excessive_bools, reason = "a switch of the command line is a bool")]
#[derive(Args, Debug)]
#[command(after_help = SERVE_HELP, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ServeArgs {
    #[command(subcommand)]
    command: Option<ServeCommand>,

    /// The folder of all data; made if it is missing
    #[arg(long, value_name = "DIR", default_value = "agon-site")]
    data: PathBuf,

    /// Where to listen
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,

    /// The address of the site in browsers, if it differs
    #[arg(long, value_name = "URL", value_parser = base_url)]
    base_url: Option<String>,

    /// Trust a reverse proxy to name clients in X-Forwarded-For
    #[arg(long)]
    behind_proxy: bool,

    /// Number of games played on this machine at once; 0 for none [default: half of the processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=1024))]
    workers: Option<u16>,

    /// Each program's time for its whole game
    #[arg(long, value_name = "TIME", default_value_t = TimeSpan::from_ms(GameLimits::default().clock_ms),
          value_parser = time(A_DAY))]
    clock: TimeSpan,

    /// Memory of each program's process tree, in MiB
    #[arg(long, value_name = "MIB", default_value_t = GameLimits::default().memory_mib,
          value_parser = mebibytes::<u64>(1_048_576))]
    memory: u64,

    /// Maximum submissions of an account per day
    #[arg(long, value_name = "N", default_value_t = 50)]
    daily: u32,

    /// Maximum games per day that an author may request for a program
    #[arg(long, value_name = "N", default_value_t = 100)]
    asked_daily: u32,

    /// Drop records of games that are older: 90d, 8w [default: keep all]
    #[arg(long, value_name = "AGE", value_parser = amount::age)]
    keep_records: Option<Age>,

    /// Drop the oldest records beyond this total size [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = amount::size)]
    records_size: Option<DiskSize>,

    /// Accept and play nothing new when DIR reaches this size [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = amount::size)]
    disk_quota: Option<DiskSize>,

    /// Accept and play nothing new when less than this is free on the disk
    #[arg(long, value_name = "SIZE", value_parser = amount::size, default_value_t = DiskSize(256 << 20))]
    disk_free: DiskSize,

    /// Keep compiled programs up to this total size
    #[arg(long, value_name = "SIZE", value_parser = amount::size, default_value_t = DiskSize(4 << 30))]
    cache_size: DiskSize,

    /// Show everything, but accept and play nothing
    #[arg(long)]
    read_only: bool,

    /// Let administrators administer only if signing in asks them for a code of an app, too
    #[arg(long)]
    require_totp: bool,

    /// Format of the log on standard error
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = LogText::Text)]
    log_format: LogText,

    /// Print all limits on what visitors can take, and exit
    #[arg(long)]
    limits: bool,

    #[command(flatten)]
    jail: JailArgs,

    /// Let the workers of this NATS server play games too (see `agon worker`)
    #[arg(long, value_name = "URL", help_heading = FLEET)]
    nats: Option<String>,

    /// Use only workers with all of these labels
    #[arg(long, value_name = "LABELS", value_delimiter = ',', help_heading = FLEET, requires = "nats")]
    labels: Vec<String>,

    /// Play this share of the games again, to detect workers that report games they did not play [default: 2%]
    #[arg(long, value_name = "SHARE", value_parser = share, help_heading = FLEET, requires = "nats")]
    audit: Option<f64>,

    #[command(flatten)]
    access: NatsAccess,

    #[command(flatten)]
    signing: SigningArgs,
}

/// How the log is written.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum LogText {
    /// For people
    Text,
    /// An object of JSON in each line
    Json,
}

#[derive(Subcommand, Debug)]
enum ServeCommand {
    /// Copy the store of a site, even while it runs
    Backup(BackupArgs),
    /// Write all data of a site into an archive, even while it runs
    Export(SiteExportArgs),
    /// Make a link by which a user sets a new password, even while the site runs
    Recover(RecoverArgs),
    /// Sign a user in without the code of an app again, even while the site runs
    RemoveTotp(RemoveTotpArgs),
    /// Fill a new folder with a lively site for trials: a class of thirty, six weeks of games
    Demo(DemoArgs),
}

const RECOVER_HELP: &str = "\
The link lets its holder set a new password for the account, once, within a day.
All sessions and tokens of the account end. Give it only to the owner.

Example:
  agon serve recover --data /var/lib/agon ada";

#[derive(Args, Debug)]
#[command(after_help = RECOVER_HELP)]
struct RecoverArgs {
    /// The name of the account
    name: String,

    /// The folder of the site
    #[arg(long, value_name = "DIR", default_value = "agon-site")]
    data: PathBuf,

    #[command(flatten)]
    output: OutputArgs,
}

const REMOVE_TOTP_HELP: &str = "\
For an administrator who has lost both the app and the recovery codes. The
password does not change.

Example:
  agon serve remove-totp --data /var/lib/agon ada";

#[derive(Args, Debug)]
#[command(after_help = REMOVE_TOTP_HELP)]
struct RemoveTotpArgs {
    /// The name of the account
    name: String,

    /// The folder of the site
    #[arg(long, value_name = "DIR", default_value = "agon-site")]
    data: PathBuf,

    #[command(flatten)]
    output: OutputArgs,
}

/// The number of the account of a person.
fn account_of(store: &SiteStore, name: &str) -> anyhow::Result<i64> {
    let found = accounts::named(store, name.trim())?;
    let (account, _) = found.with_context(|| format!("the site has no account of the name `{name}`"))?;
    Ok(account.id)
}

/// What was refused, in words.
fn refused(refusal: Refusal) -> anyhow::Error {
    match refusal {
        Refusal::Store(error) => error.into(),
        Refusal::Forbidden(reason) | Refusal::Conflict(reason) => anyhow!("{reason}"),
        Refusal::Field(wrong) => anyhow!("{}", wrong.reason),
        Refusal::NotFound => anyhow!("there is nothing of that name"),
    }
}

impl RecoverArgs {
    fn run(&self, options: &SiteOptions) -> anyhow::Result<Exit> {
        let mut store = SiteStore::beside(&options.store())?;
        let account = account_of(&store, &self.name)?;
        let word = accounts::make_recovery(&mut store, account, &Origin::command_line()).map_err(refused)?;
        // Where the site has not been started by this version, its address is not known.
        let address = accounts::address(&store)?.unwrap_or_else(|| options.address(""));
        let link = format!("{address}/recover/{word}");
        match self.output.format {
            Format::Json => anstream::println!("{}", json!({ "account": self.name.trim(), "link": link })),
            Format::Text => anstream::println!("{}", paint(show::STRONG, link)),
        }
        Ok(Exit::Done)
    }
}

impl RemoveTotpArgs {
    fn run(&self, options: &SiteOptions) -> anyhow::Result<Exit> {
        let mut store = SiteStore::beside(&options.store())?;
        let (account, name) = (account_of(&store, &self.name)?, self.name.trim());
        let removed = totp::remove(&mut store, account, &Origin::command_line(), now()).map_err(refused)?;
        match (self.output.format, removed) {
            (Format::Json, _) => anstream::println!("{}", json!({ "account": name, "removed": removed })),
            (Format::Text, true) => anstream::println!("signing in as {name} asks for the password alone again"),
            (Format::Text, false) => anstream::println!("signing in as {name} asked for no code"),
        }
        Ok(if removed { Exit::Done } else { Exit::No })
    }
}

const BACKUP_HELP: &str = "\
Rules that were uploaded are copied into a folder beside the file, for the
example monday.db.rules.

Example:
  agon serve backup --data /var/lib/agon monday.db";

#[derive(Args, Debug)]
#[command(after_help = BACKUP_HELP)]
struct BackupArgs {
    /// The new file
    file: PathBuf,

    /// The folder of the site
    #[arg(long, value_name = "DIR", default_value = "agon-site")]
    data: PathBuf,
}

impl BackupArgs {
    fn run(&self, options: &SiteOptions) -> anyhow::Result<Exit> {
        let rules = agon_web::rules_files(&options.rules_folder());
        let mut beside = self.file.clone().into_os_string();
        beside.push(".rules");
        let beside = PathBuf::from(beside);
        if beside.exists() {
            bail!("the backup: `{}` is there already; name another file", beside.display());
        }
        SiteStore::read(&options.store())?.back_up(&self.file).context("the backup")?;
        let versions = agon_web::rules_versions(&options.rules_folder());
        if !rules.is_empty() || !versions.is_empty() {
            fs::create_dir(&beside).with_context(|| format!("the backup: `{}`", beside.display()))?;
        }
        for version in versions {
            let to = beside.join("versions").join(version.file_name().unwrap_or_default());
            copy_folder(&version, &to).with_context(|| format!("the backup: `{}`", version.display()))?;
        }
        for file in rules {
            let from = options.rules_folder().join(&file);
            let to = beside.join(&file);
            let copied = if from.is_dir() { copy_folder(&from, &to) } else { fs::copy(&from, to).map(drop) };
            copied.with_context(|| format!("the backup: `{}`", from.display()))?;
        }
        Ok(Exit::Done)
    }
}

/// Copies a folder with all that is in it.
fn copy_folder(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

const EXPORT_HELP: &str = "\
Accounts, competitions, programs with their sources, games with their records,
and standings, in open formats; no passwords, no tokens.

With --static: the public pages, and the boards with engines in the browser, in
a folder that any web space serves. Pages read from a disk show everything but
boards, which browsers draw from a server alone.

Examples:
  agon serve export --data /var/lib/agon site.tar.gz
  agon serve export --static --language ko pages";

#[derive(Args, Debug)]
#[command(after_help = EXPORT_HELP)]
struct SiteExportArgs {
    /// The new file, a .tar.gz; with --static a new folder
    file: PathBuf,

    /// The folder of the site
    #[arg(long, value_name = "DIR", default_value = "agon-site")]
    data: PathBuf,

    /// Write the public pages as files that need no server of Agon
    #[arg(long = "static")]
    pages: bool,

    /// The address of a private competition whose pages are to be among them; more by further options
    #[arg(long, value_name = "COMPETITION", requires = "pages")]
    private: Vec<String>,

    /// The language of these pages: en or ko
    #[arg(long, value_name = "LANGUAGE", requires = "pages", default_value = "en", value_parser = page_language)]
    language: Locale,
}

/// A language of pages, by its code.
fn page_language(code: &str) -> Result<Locale, String> {
    Locale::parse(code).ok_or_else(|| "the pages are in en or ko".to_owned())
}

impl SiteExportArgs {
    fn run(&self, store: &Path) -> anyhow::Result<Exit> {
        let store = SiteStore::read(store)?;
        let cannot = || format!("cannot write `{}`", self.file.display());
        if self.pages {
            let bar = Bar::new("{pos} of {len} files written")?;
            bar.start(0, 0);
            let mut news = |written: usize, of: usize| {
                bar.set_length(of as u64);
                bar.set_position(written as u64);
            };
            let pages = agon_web::export_static(&store, &self.file, self.language, &self.private, &mut news);
            let pages = pages.with_context(cannot)?;
            drop(bar);
            anstream::println!("{pages} pages in {}", self.file.display());
            return Ok(Exit::Done);
        }
        let file = File::create_new(&self.file).with_context(cannot)?;
        if let Err(error) = agon_site::export::export(&store, None, BufWriter::new(file)) {
            // Half an archive is useless.
            let _ = fs::remove_file(&self.file);
            return Err(error).with_context(cannot);
        }
        Ok(Exit::Done)
    }
}

impl ServeArgs {
    /// The fleet at this address. The key that signs its jobs is kept with the site.
    fn fleet(&self, url: &str) -> anyhow::Result<FleetOptions> {
        fs::create_dir_all(&self.data).with_context(|| format!("cannot make `{}`", self.data.display()))?;
        Ok(FleetOptions {
            nats: self.access.options(url),
            labels: self.labels.clone(),
            audit: self.audit.unwrap_or(DEFAULT_AUDIT),
            key: self.signing.key(&self.data.join(FLEET_KEY))?,
            workers: self.signing.workers()?,
            timing: timing(),
        })
    }
}

/// The limits as a table with aligned columns.
fn limits_text(rows: &[LimitRow]) -> String {
    let head = ["limit of".to_owned(), "bound".to_owned(), "for each".to_owned(), "answer".to_owned()];
    let cells = |row: &LimitRow| [row.what.clone(), row.bound.clone(), row.whose.clone(), row.answer.to_owned()];
    let all: Vec<[String; 4]> = iter::once(head).chain(rows.iter().map(cells)).collect();
    let width = |column: usize| all.iter().map(|cells| cells[column].chars().count()).max().unwrap_or_default();
    let widths = [width(0), width(1), width(2)];
    let line = |[what, bound, whose, answer]: &[String; 4]| {
        format!("{what:0$}  {bound:1$}  {whose:2$}  {answer}\n", widths[0], widths[1], widths[2])
    };
    all.iter().map(line).collect()
}

/// Reads the address of a site: scheme and host alone.
fn base_url(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    let host = rest.map(|rest| rest.strip_suffix('/').unwrap_or(rest)).unwrap_or_default();
    if host.is_empty() || host.contains(|c: char| "/?#@".contains(c) || c.is_whitespace()) {
        return Err("https://HOST expected, without a path".to_owned());
    }
    Ok(text.trim_end_matches('/').to_owned())
}

/// Makes the rules that a host has uploaded games of the site. What is wrong with one of them is a warning: the site
/// goes on without that game.
fn load_uploaded(folder: &Path) -> Vec<String> {
    let files = agon_web::rules_files(folder);
    let load = |file: String| {
        let wrong = rules::loaded(&folder.join(&file)).err()?;
        Some(format!("the rules {file} that were uploaded are no game now: {wrong:#}"))
    };
    files.into_iter().filter_map(load).collect()
}

pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<Exit> {
    if let Some(ServeCommand::Backup(backup)) = &args.command {
        return backup.run(&SiteOptions::new(backup.data.clone(), args.listen));
    }
    if let Some(ServeCommand::Export(export)) = &args.command {
        let options = SiteOptions::new(export.data.clone(), args.listen);
        for wrong in load_uploaded(&options.rules_folder()) {
            anstream::eprintln!("{}", paint(show::WARN, format!("warning: {wrong}")));
        }
        for wrong in agon_web::restore_rules(&options.rules_folder(), &SiteStore::read(&options.store())?.games()?) {
            anstream::eprintln!("{}", paint(show::WARN, format!("warning: {wrong}")));
        }
        return export.run(&options.store());
    }
    if let Some(ServeCommand::Recover(recover)) = &args.command {
        return recover.run(&SiteOptions::new(recover.data.clone(), args.listen));
    }
    if let Some(ServeCommand::RemoveTotp(remove)) = &args.command {
        return remove.run(&SiteOptions::new(remove.data.clone(), args.listen));
    }
    if let Some(ServeCommand::Demo(demo)) = &args.command {
        return demo.run(&SiteOptions::new(demo.data.clone(), args.listen));
    }
    if args.limits {
        let mut options = SiteOptions::new(args.data.clone(), args.listen);
        options.submissions.daily = args.daily;
        anstream::print!("{}", limits_text(&agon_web::limits_table(&options)));
        return Ok(Exit::Done);
    }
    let spoilt = load_uploaded(&SiteOptions::new(args.data.clone(), args.listen).rules_folder());
    if let Some(game) = Game::all().into_iter().find(|game| game.is_program() && game.builtins.is_empty()) {
        bail!("{game}: a site needs rules that list their moves (`has moves`), so that newcomers have an opponent");
    }
    // What starts the programs is a copy of this process, so it is made before there are threads.
    agon_jail::prepare().context("cannot start programs")?;
    agon_jail::return_large_blocks();
    // If the fleet plays everything, no program starts here.
    let away = args.nats.is_some() && args.workers == Some(0);
    // Rules that a host uploads are asked here in any case.
    let mut warnings = if away { rules::choose_jail().map(|()| Vec::new())? } else { args.jail.insist()? };
    warnings.extend(spoilt);
    if args.daily == 0 {
        bail!("--daily 0 allows no submissions: a number from 1 expected");
    }
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let mut options = SiteOptions::new(args.data.clone(), args.listen);
    options.base_url.clone_from(&args.base_url);
    options.behind_proxy = args.behind_proxy;
    options.workers = args.workers.map_or((processors / 2).max(1), usize::from);
    options.fleet = args.nats.as_ref().map(|url| args.fleet(url)).transpose()?;
    let limits = GameLimits { memory_mib: args.memory, ..GameLimits::default() };
    options.limits = limits.with_clock(Clock::for_game(args.clock.ms()));
    options.submissions.daily = args.daily;
    options.asked_daily = args.asked_daily;
    options.retention = Retention {
        age: args.keep_records.map(|Age(hours)| hours as i64 * 3600),
        size: args.records_size.map(|DiskSize(bytes)| bytes),
    };
    options.disk_quota = args.disk_quota.map(|DiskSize(bytes)| bytes);
    options.disk_free = args.disk_free.0;
    options.builds_size = args.cache_size.0;
    options.read_only = args.read_only;
    options.require_totp = args.require_totp;
    options.log = match args.log_format {
        LogText::Text => LogFormat::Text,
        LogText::Json => LogFormat::Json,
    };
    // A program that reads the log expects only JSON on standard error.
    match args.log_format {
        LogText::Text => {
            for warning in warnings {
                anstream::eprintln!("{}", paint(show::ERROR, format!("WARNING: {warning}")));
            }
        }
        LogText::Json => options.warnings = warnings,
    }
    agon_web::serve(options, |address, link| {
        anstream::println!("serving {} from {}", paint(show::STRONG, address), args.data.display());
        if let Some(link) = link {
            anstream::println!("no administrator yet; become one with this link: {}", paint(show::STRONG, link));
        }
    })?;
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_is_a_host() {
        assert_eq!(base_url("https://agon.example.org/"), Ok("https://agon.example.org".to_owned()));
        assert_eq!(base_url("http://10.0.0.1:8080"), Ok("http://10.0.0.1:8080".to_owned()));
        for wrong in ["agon.example.org", "https://", "https://a/b", "ftp://a", "https://u@a", "https://a b"] {
            assert!(base_url(wrong).is_err(), "{wrong}");
        }
    }
}
