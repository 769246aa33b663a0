//! Levels of the jail available on this machine.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::sync::{LazyLock, OnceLock};

use super::exit::ProcessExit;
use super::failure::{Facility, JailError};
use super::jail::{Jail, Level};
use super::keeper::Keeper;
use super::message::Program;

/// Findings about this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Probe {
    /// The strongest level that works.
    pub level: Level,
    /// Reasons why stronger levels do not work, the strongest first.
    pub obstacles: Vec<Obstacle>,
    /// Features that its jails lack nevertheless.
    pub lacks: Vec<Lack>,
}

/// A feature that a jail lacks here, although it is secure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lack {
    /// Description, in words.
    pub what: &'static str,
    /// Remedy for the user.
    pub remedy: &'static str,
}

/// Programs have no view of their processes: [`super::root`] creates none if the system does not allow it.
const NO_PROC: Lack = Lack {
    what: "programs have no /proc, since parts of the system's own are hidden: some runtimes miss it",
    remedy: WHOLE_PROC,
};

/// The numbers of processes cannot be set back, so that no program may follow another one in a jail.
const NOT_RENEWED: Lack = Lack {
    what: "each program needs a new jail, since /proc/sys/kernel/ns_last_pid is read-only: starting one takes longer",
    remedy: WHOLE_PROC,
};

const WHOLE_PROC: &str = "in a container: let it have all of /proc (podman run --security-opt unmask=ALL, \
                          docker run --security-opt systempaths=unconfined); on a machine: mount nothing over parts of \
                          /proc";

/// Reason why a level does not work here.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Obstacle {
    pub level: Level,
    /// What the system refused, in words.
    pub why: String,
    /// Remedy for the user.
    pub remedy: String,
}

/// The release that introduced `mount_setattr`, for read-only views of folders and everything mounted below them.
const OLDEST_FOR_FULL: (u32, u32) = (5, 12);

/// The release that first had the version of Landlock that [`super::walls`] needs.
const OLDEST_FOR_LANDLOCK: (u32, u32) = (6, 2);

/// The level that was chosen for the programs of this process.
static CHOSEN: OnceLock<Level> = OnceLock::new();

/// Chooses the level for all programs of this process, once and before the first of them is prepared.
pub fn choose(level: Level) {
    let _ = CHOSEN.set(level);
}

/// The level for the programs of this process: the chosen one, or else the strongest that works here.
pub fn chosen() -> Level {
    *CHOSEN.get_or_init(|| probe().level)
}

/// Tries the levels, the strongest first, by running a program in each. The answer is kept for this process.
pub fn probe() -> Probe {
    static PROBE: LazyLock<Probe> = LazyLock::new(|| {
        let mut obstacles = Vec::new();
        for level in [Level::Full, Level::Landlock] {
            match try_level(level) {
                Ok(lacks) => return Probe { level, obstacles, lacks },
                Err(obstacle) => obstacles.push(obstacle),
            }
        }
        Probe { level: Level::None, obstacles, lacks: Vec::new() }
    });
    PROBE.clone()
}

/// Tries a level by running a program in it, and returns what its jails lack here.
///
/// # Errors
/// The reason why it does not work here.
pub fn try_level(level: Level) -> Result<Vec<Lack>, Obstacle> {
    runs(level).map_err(|error| Obstacle { level, why: error.to_string(), remedy: remedy(level, &error) })
}

/// Runs a program at a level, in a folder of its own.
fn runs(level: Level) -> io::Result<Vec<Lack>> {
    // Any folder that exists on every machine: it only matters that one can be mounted over it.
    let folder = fs::canonicalize("/usr/bin")?;
    let jail = Jail { level, folder: Some(folder), disk: 1 << 20, processes: 8, ..Jail::default() };
    let shell = c"/bin/sh";
    let words = [c"sh", c"-c", c"[ -e /proc/self/status ] && exit 7; exit 8"].map(Into::into).to_vec();
    let program = Program { path: shell.into(), words, environment: Vec::new() };
    let null = File::options().read(true).write(true).open("/dev/null")?;
    let mut keeper = Keeper::take(None, &jail)?;
    keeper.load(&program, null.as_fd(), null.as_fd())?;
    let (_, pidfd) = keeper.start(null.as_fd(), "", false)?;
    rustix::event::poll(&mut [rustix::event::PollFd::new(&pidfd, rustix::event::PollFlags::IN)], None)?;
    let exit = keeper.end();
    let Some(ProcessExit::Code(code @ (7 | 8))) = exit else {
        return Err(io::Error::other(format!(
            "a shell that is to exit with code 7 ended with {}",
            exit.map_or_else(|| "nothing".to_owned(), |exit| exit.to_string())
        )));
    };
    if level != Level::Full {
        // They have the machine's /proc, and a keeper that needs no numbers.
        return Ok(Vec::new());
    }
    let lacks = [(code == 8, NO_PROC), (keeper.is_broken(), NOT_RENEWED)];
    Ok(lacks.into_iter().filter(|(lacking, _)| *lacking).map(|(_, lack)| lack).collect())
}

/// The major and the minor number of a release of Linux.
fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|c: char| !c.is_ascii_digit()).map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// Returns the remedy that makes a level work.
fn remedy(level: Level, error: &io::Error) -> String {
    let read = |file: &str| fs::read_to_string(file).unwrap_or_default().trim().to_owned();
    let set = |file: &str, value: &str| read(file) == value;
    let needs = JailError::downcast(error).and_then(|failure| failure.needs);
    let needed = if level == Level::Full { OLDEST_FOR_FULL } else { OLDEST_FOR_LANDLOCK };
    let release = rustix::system::uname().release().to_string_lossy().into_owned();
    if version(&release).is_some_and(|own| own < needed) {
        return format!("this is Linux {release}, and level {level} needs {}.{} or newer", needed.0, needed.1);
    }
    let text = match level {
        Level::Full if set("/proc/sys/user/max_user_namespaces", "0") => {
            "user namespaces are switched off: `sysctl user.max_user_namespaces=10000` as root"
        }
        Level::Full
            if set("/proc/sys/kernel/unprivileged_userns_clone", "0") && !rustix::process::geteuid().is_root() =>
        {
            "user namespaces are for root only: `sysctl kernel.unprivileged_userns_clone=1` as root, or run as root"
        }
        Level::Full
            if set("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1")
                && !rustix::process::geteuid().is_root() =>
        {
            "AppArmor refuses user namespaces to programs without a profile: \
             `sysctl kernel.apparmor_restrict_unprivileged_userns=0` as root, or a profile for agon with `userns,`"
        }
        Level::Full if needs == Some(Facility::Namespaces) => {
            "in a container: allow it the calls (docker run --security-opt seccomp=unconfined, or --privileged); on a \
             machine: run as root"
        }
        Level::Full if needs == Some(Facility::Overlays) => {
            "the kernel has no overlays: `modprobe overlay` as root, or one with CONFIG_OVERLAY_FS"
        }
        Level::Full if needs == Some(Facility::MountedRoot) => {
            "the root of this system is an initial RAM disk, which cannot be left: run from a mounted root"
        }
        Level::Full => "outside of a container it may work, or in a privileged one",
        _ => "Landlock is switched off: add it to `lsm=` on the kernel's command line, see /sys/kernel/security/lsm",
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn releases_of_linux_are_compared_by_number() {
        assert_eq!(version("5.10.0-46-cloud-amd64"), Some((5, 10)));
        assert_eq!(version("6.2"), Some((6, 2)));
        assert_eq!(version("6.18.44-fc"), Some((6, 18)));
        assert_eq!(version("strange"), None);
        assert!(version("5.4.0") < version("5.12.0"));
    }
}
