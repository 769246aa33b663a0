//! Places where control groups can be created.
//!
//! On version 1 every controller has a hierarchy of its own, in which the judge creates its groups below its own. On
//! version 2 there is one hierarchy for all, and a rule: a group either holds processes or delegates controllers to
//! groups below it; only the root of the hierarchy may do both. So the judge has a choice of two places:
//!
//! - Its own group, when that was given to it: by systemd (`Delegate=yes`), or as the root that a container sees. What
//!   is in it moves into a leaf first. `memory` could not be handed on before; `pids` could, but would make the group a
//!   threaded one, in which no program can be started.
//! - The group above its own, which hands the controllers on already. In a group that systemd has kept to itself
//!   nothing is made: its manager may stop the whole unit, judge and all, when the kernel ends a program in it for want
//!   of memory (`OOMPolicy`).
//!
//! Sources: Linux, `Documentation/admin-guide/cgroup-v2.rst` ("No Internal Process Constraint", "Threads",
//! "Delegation"); systemd, `docs/CGROUP_DELEGATION.md`.

use std::fs;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access, getxattr};

use super::kernel::numbers;

/// The controllers that groups of version 2 should have. Without the first they are useless.
const WANTED: [&str; 2] = ["memory", "pids"];

/// Attributes by which systemd marks a delegated group; the first is readable by everybody.
const DELEGATED: [&str; 2] = ["user.delegate", "trusted.delegate"];

/// Maximum number of rounds of moving the processes of a group.
const ROUNDS: u32 = 100;

/// A mount: the group that is its root, the mount point, and its options.
struct Mount<'a> {
    group: &'a str,
    place: &'a Path,
    options: &'a str,
}

/// The group of a process in the unified hierarchy.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Unified {
    /// The folder of the highest group that is seen here.
    root: PathBuf,
    /// The folder of the process's own group.
    own: PathBuf,
}

/// The folder of this process's group in the hierarchy of version 1 that has a controller.
pub(crate) fn version1(controller: &str) -> Option<PathBuf> {
    let (mounts, groups) = own_texts();
    locate_version1(controller, &mounts, &groups)
}

/// Finds the folder in which groups of version 2 can be created, with memory control, and prepares it; `leaf` is the
/// name of the group that takes the contents of this process's own.
pub(crate) fn version2(leaf: &str) -> Option<PathBuf> {
    let Unified { root, own } = own_unified()?;
    let above = (own != root).then(|| own.parent()).flatten();
    let here = || hand_on(&own, leaf, &WANTED).then(|| own.clone());
    let there = || above.filter(|above| hands_on(above, WANTED[0]) && may_enter(above)).map(Path::to_owned);
    if own == root || is_delegated(&own) { here().or_else(there) } else { there().or_else(here) }
}

/// Returns all folders in which [`version2`] may have created groups for this process or its original. Changes nothing.
pub(crate) fn version2_candidates() -> Vec<PathBuf> {
    own_unified().map_or_else(Vec::new, |Unified { root, own }| {
        let above = own.parent().filter(|above| above.starts_with(&root)).map(Path::to_owned);
        above.into_iter().chain([own]).collect()
    })
}

/// Makes a group delegate controllers to groups below it, as far as it has them; returns false if it cannot delegate
/// the first.
fn hand_on(group: &Path, leaf: &str, controllers: &[&str]) -> bool {
    let has = words(&group.join("cgroup.controllers"));
    let wanted: Vec<&str> = controllers.iter().copied().filter(|name| has.iter().any(|has| has == name)).collect();
    if wanted.first() != controllers.first() || !may_enter(group) {
        return false;
    }
    if wanted.iter().all(|name| hands_on(group, name)) {
        return true;
    }
    // The root of the hierarchy has no type.
    if let Ok(kind) = fs::read_to_string(group.join("cgroup.type"))
        && !(kind.trim() == "domain" && may_write(&group.join("cgroup.subtree_control")) && vacate(group, leaf))
    {
        return false;
    }
    let request: Vec<String> = wanted.iter().map(|name| format!("+{name}")).collect();
    fs::write(group.join("cgroup.subtree_control"), request.join(" ")).is_ok()
}

/// Moves the processes of a group into a new one below it; false when some are left.
fn vacate(group: &Path, leaf: &str) -> bool {
    let leaf = group.join(leaf);
    if !leaf.is_dir() && fs::create_dir(&leaf).is_err() {
        return false;
    }
    let mut before = Vec::new();
    // Each round may find processes started during the previous one.
    for _ in 0..ROUNDS {
        let found = numbers(&fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default());
        if found.is_empty() {
            return true;
        }
        // Processes of other pid namespaces have the number 0, and cannot be moved from here.
        if found.contains(&0) || found == before {
            break;
        }
        for pid in &found {
            // One that has ended meanwhile can no longer be moved.
            let _ = fs::write(leaf.join("cgroup.procs"), pid.to_string());
        }
        before = found;
    }
    let _ = fs::remove_dir(leaf);
    false
}

fn hands_on(group: &Path, controller: &str) -> bool {
    words(&group.join("cgroup.subtree_control")).iter().any(|name| name == controller)
}

/// Returns true if groups may be created in a group, and processes moved to them.
fn may_enter(group: &Path) -> bool {
    may_write(group) && may_write(&group.join("cgroup.procs"))
}

fn may_write(path: &Path) -> bool {
    access(path, Access::WRITE_OK).is_ok()
}

fn is_delegated(group: &Path) -> bool {
    DELEGATED.iter().any(|name| {
        let mut value = [0_u8; 8];
        getxattr(group, *name, &mut value).is_ok_and(|length| value[..length] == *b"1")
    })
}

fn words(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap_or_default().split_ascii_whitespace().map(str::to_owned).collect()
}

fn own_texts() -> (String, String) {
    let read = |file| fs::read_to_string(file).unwrap_or_default();
    (read("/proc/self/mountinfo"), read("/proc/self/cgroup"))
}

fn own_unified() -> Option<Unified> {
    let (mounts, groups) = own_texts();
    locate_version2(&mounts, &groups)
}

fn locate_version1(controller: &str, mounts: &str, groups: &str) -> Option<PathBuf> {
    let has_it = |list: &str| list.split(',').any(|name| name == controller);
    let group = group_in(groups, has_it)?;
    mounted(mounts, "cgroup").filter(|mount| has_it(mount.options)).find_map(|mount| mount.folder(group))
}

fn locate_version2(mounts: &str, groups: &str) -> Option<Unified> {
    let group = group_in(groups, str::is_empty)?;
    mounted(mounts, "cgroup2")
        .find_map(|mount| Some(Unified { own: mount.folder(group)?, root: mount.place.to_owned() }))
}

/// The mounts of a type of file system, out of the text of `/proc/self/mountinfo`.
fn mounted<'a>(mounts: &'a str, wanted: &'static str) -> impl Iterator<Item = Mount<'a>> {
    mounts.lines().filter_map(move |line| {
        let (left, right) = line.split_once(" - ")?;
        let (mut left, mut right) = (left.split(' ').skip(3), right.split(' '));
        let kind = right.next()?;
        let mount = Mount { group: left.next()?, place: Path::new(left.next()?), options: right.nth(1)? };
        (kind == wanted).then_some(mount)
    })
}

/// The group in the hierarchy whose controllers are wanted, out of the text of `/proc/self/cgroup`.
fn group_in(groups: &str, wanted: impl Fn(&str) -> bool) -> Option<&str> {
    groups.lines().find_map(|line| {
        let mut fields = line.splitn(3, ':').skip(1);
        let controllers = fields.next()?;
        wanted(controllers).then(|| fields.next())?
    })
}

impl Mount<'_> {
    /// Returns the folder of a group; `None` if it is outside the mounted part.
    fn folder(&self, group: &str) -> Option<PathBuf> {
        let below = Path::new(group).strip_prefix(self.group).ok()?;
        // The path of a process above the root of its namespace starts with `/..`.
        let inside = below.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        inside.then(|| self.place.join(below).components().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Child, Command};

    #[test]
    fn the_group_of_a_process_is_found_in_either_version() {
        let check1 = |mounts: &str, groups: &str, expected: Option<&str>| {
            assert_eq!(locate_version1("memory", mounts, groups), expected.map(PathBuf::from), "{mounts}");
        };
        let memory = "30 20 0:25 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n";
        check1(memory, "4:memory:/jobs/a\n0::/\n", Some("/sys/fs/cgroup/memory/jobs/a"));
        check1(memory, "4:memory:/\n0::/\n", Some("/sys/fs/cgroup/memory"));
        check1(memory, "5:pids:/jobs/a\n0::/\n", None);
        // A container that sees its own part of the hierarchy, and the whole path of its group.
        let part = "30 20 0:25 /docker/1f /sys/fs/cgroup/memory ro shared:9 - cgroup cgroup rw,memory\n";
        check1(part, "4:memory:/docker/1f\n", Some("/sys/fs/cgroup/memory"));
        check1(part, "4:memory:/docker/2e\n", None);

        let check2 = |mounts: &str, groups: &str, expected: Option<[&str; 2]>| {
            let expected = expected.map(|[root, own]| Unified { root: root.into(), own: own.into() });
            assert_eq!(locate_version2(mounts, groups), expected, "{groups}");
        };
        let unified = "30 20 0:25 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
        let session = ["/sys/fs/cgroup", "/sys/fs/cgroup/user.slice/session-2.scope"];
        check2(unified, "0::/user.slice/session-2.scope\n", Some(session));
        check2(unified, "0::/\n", Some(["/sys/fs/cgroup", "/sys/fs/cgroup"]));
        check2(unified, "0::/../other\n", None);
        check2("1 1 0:1 / / rw - ext4 /dev/vda rw\n", "0::/\n", None);
        check2("", "", None);
    }

    /// A new group of version 2 with a process in it.
    struct Group {
        path: PathBuf,
        process: Child,
    }

    impl Group {
        fn new(root: &Path, name: &str) -> Self {
            let path = root.join(format!("agon-test-{name}-{}", std::process::id()));
            fs::create_dir(&path).unwrap();
            let process = Command::new("sleep").arg("600").spawn().unwrap();
            fs::write(path.join("cgroup.procs"), process.id().to_string()).unwrap();
            Self { path, process }
        }

        /// The group of its process, as the kernel says.
        fn of_process(&self) -> String {
            let groups = fs::read_to_string(format!("/proc/{}/cgroup", self.process.id())).unwrap();
            group_in(&groups, str::is_empty).unwrap().to_owned()
        }
    }

    impl Drop for Group {
        fn drop(&mut self) {
            let _ = self.process.kill();
            let _ = self.process.wait();
            for below in fs::read_dir(&self.path).unwrap().flatten() {
                let _ = fs::remove_dir(below.path());
            }
            let _ = fs::remove_dir(&self.path);
        }
    }

    #[test]
    fn who_is_in_a_group_moves_into_a_leaf_before_it_hands_controllers_on() {
        // The root of a hierarchy that this test may change freely, and a controller that version 1 does not use.
        let root = own_unified().map(|unified| unified.root).filter(|root| may_enter(root));
        let root = root.filter(|root| !root.join("cgroup.type").exists());
        let has = root.as_deref().map(|root| words(&root.join("cgroup.controllers"))).unwrap_or_default();
        let found = ["memory", "hugetlb"].into_iter().find(|name| has.iter().any(|has| has == name));
        let Some((root, controller)) = root.zip(found) else {
            eprintln!("not tested: no hierarchy of version 2 with a controller");
            return;
        };
        let did_before = hands_on(&root, controller);
        assert!(hand_on(&root, "leaf", &[controller]), "the root may hold processes and hand on");
        assert!(!root.join("leaf").exists());

        let group = Group::new(&root, "domain");
        assert!(hand_on(&group.path, "leaf", &[controller]));
        assert!(group.of_process().ends_with("/leaf"), "{}", group.of_process());
        let new = group.path.join("new");
        fs::create_dir(&new).unwrap();
        assert_eq!(fs::read_to_string(new.join("cgroup.type")).unwrap(), "domain\n");
        assert_eq!(words(&new.join("cgroup.controllers")), [controller]);
        fs::write(new.join("cgroup.procs"), group.process.id().to_string()).unwrap();
        assert!(hand_on(&group.path, "other", &[controller]), "again");
        assert!(!group.path.join("other").exists());

        let threaded = Group::new(&root, "threaded");
        let before = threaded.of_process();
        assert!(!hand_on(&threaded.path, "leaf", &["no-such"]));
        fs::create_dir(threaded.path.join("threads")).unwrap();
        fs::write(threaded.path.join("threads/cgroup.type"), "threaded").unwrap();
        assert_eq!(fs::read_to_string(threaded.path.join("cgroup.type")).unwrap(), "domain threaded\n");
        assert!(!hand_on(&threaded.path, "leaf", &[controller]));
        assert_eq!(threaded.of_process(), before, "who cannot hand on is left alone");
        assert!(!threaded.path.join("leaf").exists());

        drop((group, threaded));
        if !did_before {
            let _ = fs::write(root.join("cgroup.subtree_control"), format!("-{controller}"));
        }
    }
}
