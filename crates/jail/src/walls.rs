//! The restrictions placed on a process just before it becomes the program: limits are set, capabilities dropped, files
//! and sockets put behind Landlock rules, and system calls behind a filter.
//!
//! Neither the program nor what it starts can undo this. At [`Level::Full`] this is the second wall, inside namespaces
//! and a root of its own; at [`Level::Landlock`] it is the only one.

use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CapabilitiesSecureBits, CapabilitySet, CapabilitySets};
use seccompiler::BpfProgram;

use super::failure::{JailError, Step};
use super::filter;
use super::jail::{Jail, Level, Writes};
use super::system;
use super::system_paths::system_paths;

/// The version of Landlock whose rights are used: later ones are not tested.
const NEWEST: ABI = ABI::V7;

/// The oldest version that contains a program without namespaces: before it (Linux 6.2), any file may be emptied.
const OLDEST: u8 = 3;

/// Devices that anybody may write to.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Minimum unit in which memory, and therefore the space, is allocated.
const PAGE: u64 = 4096;

/// The longest file of a program whose files are all in memory: longer than any memory limit.
const FILE: u64 = 64 << 30;

/// Restrictions of a jail for a program that is about to start.
pub struct Walls {
    level: Level,
    limits: Vec<(Resource, Rlimit)>,
    files: RulesetCreated,
    filter: BpfProgram,
}

impl Walls {
    /// Creates the walls of a jail, in its keeper, which sees files as the programs will; includes the folder for
    /// temporary files, which [`Level::Landlock`] has nowhere else. From then on the keeper's capabilities are not
    /// passed on to programs it executes.
    ///
    /// # Errors
    /// [`JailError`] if this machine cannot create them.
    pub fn new(jail: &Jail, space: Option<&Path>) -> io::Result<Self> {
        let folder = jail.folder.iter().filter(|folder| **folder != Path::new("/")).cloned();
        let mut writable: Vec<PathBuf> = space.map(Path::to_owned).into_iter().collect();
        let readable = match jail.level {
            Level::None => return Err(io::Error::new(io::ErrorKind::InvalidInput, "no walls at level none")),
            // Its root shows only what it may read.
            Level::Full => {
                writable.extend(["/tmp", "/dev/shm"].map(PathBuf::from));
                writable.extend(folder);
                vec![PathBuf::from("/")]
            }
            Level::Landlock => {
                if landlock_version() < OLDEST {
                    let missing = io::Error::new(io::ErrorKind::Unsupported, "this needs Landlock of Linux 6.2");
                    return Err(missing).step(|| "restrict files".to_owned())?;
                }
                // The visible part of a folder is listed, and changes to it stay.
                if jail.writes == Writes::Kept {
                    writable.extend(folder);
                }
                system_paths().into_iter().chain(jail.visible.iter().cloned()).collect()
            }
        };
        let files = rules(&readable, &writable).map_err(io::Error::other).step(|| "restrict files".to_owned())?;
        let filter = match jail.writes {
            Writes::Forgotten => filter::program(jail.level),
            Writes::Kept => filter::compiler(jail.level),
        };
        let filter = filter.step(|| "restrict system calls".to_owned())?;
        drop_bounding_set()?;
        Ok(Self { level: jail.level, limits: limits(jail), files, filter })
    }

    /// Applies all restrictions to the calling process, which is about to become the program, or to start it.
    ///
    /// # Errors
    /// Names the step that the system refused.
    pub fn raise(&self) -> Result<(), JailError> {
        system::close_at_exec().step(|| "close the keeper's files".to_owned())?;
        system::survive_long_files();
        for &(resource, limit) in &self.limits {
            setrlimit(resource, limit).step(|| format!("limit {resource:?}"))?;
        }
        drop_capabilities(self.level)?;
        rustix::thread::set_no_new_privs(true).step(|| "refuse new privileges".to_owned())?;
        let files = self.files.try_clone().and_then(|files| files.restrict_self().map_err(io::Error::other));
        let status = files.step(|| "restrict files".to_owned())?.ruleset;
        if self.level == Level::Landlock && status == RulesetStatus::NotEnforced {
            return Err(io::ErrorKind::Unsupported).step(|| "restrict files".to_owned());
        }
        // Last: it also refuses the calls above.
        filter::put_on(&self.filter).step(|| "restrict system calls".to_owned())
    }
}

/// The newest version of Landlock all of whose rights this machine knows, at most 6; 0 without Landlock.
///
/// With version 6 (Linux 6.12) a program cannot send signals to others; with 5 it cannot send commands to devices; with
/// 4 it has no TCP.
pub fn landlock_version() -> u8 {
    let knows = |abi: ABI| {
        let mut rules = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(abi))?;
        // An empty set would be an error.
        if abi >= ABI::V4 {
            rules = rules.handle_access(AccessNet::from_all(abi))?;
        }
        if abi >= ABI::V6 {
            rules = rules.scope(Scope::from_all(abi))?;
        }
        Ok::<_, RulesetError>(rules)
    };
    let versions = [(ABI::V1, 1), (ABI::V2, 2), (ABI::V3, 3), (ABI::V4, 4), (ABI::V5, 5), (ABI::V6, 6)];
    versions.into_iter().rev().find(|&(abi, _)| knows(abi).is_ok()).map_or(0, |(_, version)| version)
}

/// Files that may be read and run, and folders that may be written; no TCP; no signals and no abstract sockets of
/// others. Rights that the kernel does not know are left out.
fn rules(readable: &[PathBuf], writable: &[PathBuf]) -> Result<RulesetCreated, RulesetError> {
    let all = AccessFs::from_all(NEWEST);
    let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    let write = all & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev);
    Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?
        .add_rules(path_beneath_rules(readable, AccessFs::from_read(NEWEST)))?
        .add_rules(path_beneath_rules(writable, write))?
        .add_rules(path_beneath_rules(DEVICES, device))
}

/// The limits of each process. Those of the jail as a whole are the control group's and the space's.
fn limits(jail: &Jail) -> Vec<(Resource, Rlimit)> {
    // At level full the space already has this size, and a memfd is a file as well: its contents are memory, which the
    // control group limits. Only sparse files remain to be refused here.
    let file = match (jail.level, jail.writes) {
        (Level::Full, Writes::Forgotten) => jail.disk.max(FILE),
        // The space should run full first: a longer file would end the program.
        (Level::Full, Writes::Kept) => jail.disk.saturating_add(PAGE),
        _ => jail.disk,
    };
    // As this limit counts: 20 is a niceness of 0, 1 is one of 19.
    let least_niceness = (20 - system::niceness().max(0)) as u64;
    let mut limits = vec![
        // Not 0: with 0, the system's crash handler still receives every crash, with root's rights. With 1 there is
        // neither handler nor file (Linux, `fs/coredump.c`).
        (Resource::Core, 1, 1),
        (Resource::Fsize, file, file),
        (Resource::Nofile, 1024, 4096),
        (Resource::Memlock, 64 << 10, 64 << 10),
        (Resource::Msgqueue, 0, 0),
        (Resource::Sigpending, 1024, 1024),
        // As nice as it starts, so that the judge may let it come forward again that has gone behind the others.
        (Resource::Nice, least_niceness, least_niceness),
        (Resource::Rtprio, 0, 0),
    ];
    if jail.level == Level::Full {
        // The user is the jail's own, and its keeper is one of its processes. Elsewhere all processes of the judge's
        // user count.
        let processes = u64::from(jail.processes) + 1;
        limits.push((Resource::Nproc, processes, processes));
    }
    let within = |limit: u64, bound: Option<u64>| bound.map_or(limit, |bound| limit.min(bound));
    limits
        .into_iter()
        .map(|(resource, soft, hard)| {
            let most = getrlimit(resource).maximum;
            (resource, Rlimit { current: Some(within(soft, most)), maximum: Some(within(hard, most)) })
        })
        .collect()
}

/// Step name for dropping capabilities.
const DROP: &str = "drop capabilities";

/// Makes sure that no program will have a capability. Once in a keeper, because it takes 41 calls.
fn drop_bounding_set() -> Result<(), JailError> {
    let step = || DROP.to_owned();
    // Without this one it is refused. Then there is no way to gain others either, once new privileges are refused.
    if !rustix::thread::capabilities(None).step(step)?.effective.contains(CapabilitySet::SETPCAP) {
        return Ok(());
    }
    for number in 0..u64::BITS {
        match rustix::thread::remove_capability_from_bounding_set(CapabilitySet::from_bits_retain(1 << number)) {
            // The kernel does not know more of them.
            Err(rustix::io::Errno::INVAL) => break,
            result => result.step(step)?,
        }
    }
    Ok(())
}

/// Drops every capability, even if the user is root.
fn drop_capabilities(level: Level) -> Result<(), JailError> {
    let step = || DROP.to_owned();
    if rustix::thread::capabilities(None).step(step)?.effective.contains(CapabilitySet::SETPCAP) {
        let bits = CapabilitiesSecureBits::NO_ROOT
            | CapabilitiesSecureBits::NO_ROOT_LOCKED
            | CapabilitiesSecureBits::NO_SETUID_FIXUP
            | CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED
            | CapabilitiesSecureBits::KEEP_CAPS_LOCKED
            | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE
            | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE_LOCKED;
        rustix::thread::set_capabilities_secure_bits(bits).step(step)?;
    }
    rustix::thread::clear_ambient_capability_set().step(step)?;
    // A keeper retains one, within its own namespaces, to renumber the processes of each program. It ends with `exec`.
    let kept = if level == Level::Full { CapabilitySet::CHECKPOINT_RESTORE } else { CapabilitySet::empty() };
    let kept = kept & rustix::thread::capabilities(None).step(step)?.permitted;
    let sets = CapabilitySets { effective: kept, permitted: kept, inheritable: CapabilitySet::empty() };
    rustix::thread::set_capabilities(None, sets).step(step)
}
