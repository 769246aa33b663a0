//! The parts of the machine that every jailed program may see.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType, Metadata};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Programs and their libraries; stateless devices; processor information for runtimes; processes (a program may open
/// only its own).
const PATHS: [&str; 28] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/opt",
    "/nix/store",
    "/gnu/store",
    // Which of several programs a name refers to; the paths of libraries, and those loaded into every program.
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.preload",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/os-release",
    // Node does not start without it.
    "/etc/ssl/openssl.cnf",
    "/etc/pki/tls/openssl.cnf",
    "/etc/crypto-policies",
    // Certificates of Java.
    "/etc/ssl/certs/java",
    "/etc/pki/java",
    "/sys/devices/system/cpu",
    "/proc",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Folders in which packages keep configuration, and files generated at their installation.
const CONFIGURED: [&str; 2] = ["/etc", "/var/lib"];

/// Names in [`CONFIGURED`] that programs look for by a fixed path, with what would be missing. Each also stands for
/// versions of itself: `php` for `php83` and `php.ini`. Targets of links below `/usr` are found without a name.
const NAMES: [(&str, &str); 37] = [
    ("GNUstep", "GNUstep.conf: Foundation of Objective-C does not start"),
    ("R", "Renviron and ldpaths: R does not start"),
    ("chicken", "the modules of Chicken Scheme"),
    ("clojure", "the command's configuration"),
    ("common-lisp", "where ASDF finds systems"),
    ("coq", "its libraries"),
    ("crystal", "the compiler's configuration"),
    ("dmd", "where the compiler of D finds its library"),
    ("dotnet", "install_location: where the runtime of .NET is"),
    ("emacs", "site-start.el, which every script loads"),
    ("erlang", "the virtual machine's configuration"),
    ("fpc", "where the compiler of Pascal finds its units"),
    ("gauche", "the modules of Gauche Scheme"),
    ("gems", "the libraries of Ruby on Debian"),
    ("ghc", "the package database of Haskell"),
    ("gnu-smalltalk", "the image, without which it does not start"),
    ("groovy", "groovy-starter.conf: Groovy does not start"),
    ("guile", "site files of Guile Scheme"),
    ("idris", "its libraries"),
    ("java", "configuration, policy and fonts of the JVM"),
    ("julia", "startup.jl"),
    ("ldc2", "where the compiler of D finds its library"),
    ("lua", "paths of modules"),
    ("luarocks", "where luarocks.loader finds modules"),
    ("maxima", "its configuration"),
    ("mono", "which library a name means, and machine.config"),
    ("nim", "nim.cfg, which `nim r` needs"),
    ("octave", "octave.conf and installed packages"),
    ("perl", "a folder of @INC, and Net::Config"),
    ("php", "php.ini and which extensions are loaded"),
    ("pypy", "sitecustomize"),
    ("python", "sitecustomize"),
    ("racket", "config.rktd: without it all libraries are compiled at each start"),
    ("ruby", "the defaults of RubyGems"),
    ("sbcl", "sbclrc"),
    ("slsh", "slsh.rc, which every script of S-Lang loads"),
    ("swi-prolog", "installed packages"),
];

/// Folders with links of languages to their configuration, each in a subfolder of its own.
const LINKED: [&str; 6] =
    ["/usr/lib", "/usr/lib64", "/usr/libexec", "/usr/share", "/usr/local/lib", "/usr/local/share"];

/// Folders in [`LINKED`] with texts only for people: thousands of files, and links between them.
const TEXTS: [&str; 4] = ["doc", "info", "locale", "man"];

/// Files of users, hosts and services in [`CONFIGURED`], by the start of their names: no jail shows them, even if
/// everyone on the machine may read them.
const SERVICES: [&str; 62] = [
    "AccountsService",
    "NetworkManager",
    "PackageKit",
    "X11",
    "adjtime",
    "apache",
    "apt",
    "bind",
    "boot",
    "ceph",
    "cloud",
    "containerd",
    "cron",
    "cups",
    "dbus",
    "default",
    "dhcp",
    "docker",
    "dovecot",
    "dpkg",
    "environment",
    "exim",
    "fonts",
    "fstab",
    "groff",
    "group",
    "gshadow",
    "host",
    "httpd",
    "init",
    "krb5",
    "kubernetes",
    "ldap",
    "letsencrypt",
    "lightdm",
    "lighttpd",
    "machine-id",
    "mail",
    "maven",
    "mysql",
    "nginx",
    "nsswitch",
    "pam",
    "passwd",
    "polkit",
    "postfix",
    "postgresql",
    "ppp",
    "private",
    "profile",
    "redis",
    "resolv",
    "samba",
    "security",
    "shadow",
    "ssh",
    "ssl",
    "subgid",
    "subuid",
    "sudo",
    "systemd",
    "wpa",
];

/// Names of files and folders that hold secrets, wherever they are.
const SECRETS: [&str; 20] = [
    ".git-credentials",
    ".gnupg",
    ".htpasswd",
    ".netrc",
    ".npmrc",
    ".pypirc",
    ".ssh",
    "credentials",
    "gshadow",
    "htpasswd",
    "machine-id",
    "netrc",
    "npmrc",
    "passwd",
    "pip.conf",
    "private",
    "secrets",
    // The servers of Maven, with their passwords.
    "settings.xml",
    "shadow",
    "sudoers",
];

/// Endings of the names of such files.
const SECRET_ENDS: [&str; 12] = [
    ".credentials",
    ".jks",
    ".key",
    ".keytab",
    ".p12",
    ".passwd",
    ".password",
    ".pfx",
    ".secret",
    ".token",
    "_key",
    "_rsa",
];

/// Maximum depth and number of entries in the search for files that not everyone may read.
const MAX_DEPTH: usize = 8;
const MAX_ENTRIES: usize = 4096;

/// The paths found, with the modification times of the packages' folders.
static FOUND: Mutex<Option<(Stamp, Vec<PathBuf>)>> = Mutex::new(None);

/// The times of the last change of some folders, in seconds and nanoseconds.
type Stamp = Vec<(i64, i64)>;

/// Returns the files and folders of the system that every program may read and run, if this machine has them. They are
/// searched once, and again when a package has been installed or removed.
pub fn system_paths() -> Vec<PathBuf> {
    let roots = CONFIGURED.iter().chain(&LINKED);
    let changed = |root: &&str| fs::metadata(root).map_or((0, 0), |data| (data.mtime(), data.mtime_nsec()));
    let stamp: Stamp = roots.map(changed).collect();
    let mut found = FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    match &*found {
        Some((known, paths)) if *known == stamp => paths.clone(),
        _ => {
            let paths = find();
            *found = Some((stamp, paths.clone()));
            paths
        }
    }
}

fn find() -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = PATHS.iter().map(PathBuf::from).filter(|path| exists(path)).collect();
    let configured: Vec<(PathBuf, OsString)> = CONFIGURED.iter().flat_map(|folder| entries(folder.as_ref())).collect();
    let named =
        configured.iter().filter(|(_, name)| NAMES.iter().any(|(known, _)| is_version_of(name, known.as_ref())));
    paths.extend(named.flat_map(|(path, _)| public_parts(path)));
    let names: Vec<&OsString> = configured.iter().filter(|(path, _)| !is_private(path)).map(|(_, name)| name).collect();
    paths.extend(linked(&names).iter().flat_map(|path| public_parts(path)));
    paths.sort();
    paths.dedup();
    let mut outermost: Vec<PathBuf> = Vec::new();
    for path in paths {
        if outermost.last().is_none_or(|last| !path.starts_with(last)) {
            outermost.push(path);
        }
    }
    outermost
}

/// Returns the public configuration of a program in `/etc` and `/var/lib`, by its name, such as `mylang` or
/// `mylang-2.1`; nothing if every program sees it.
pub fn configuration_of(program: &str) -> Vec<PathBuf> {
    let name = program.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '_'));
    if name.is_empty() || NAMES.iter().any(|(known, _)| is_version_of(name.as_ref(), known.as_ref())) {
        return Vec::new();
    }
    let configured = CONFIGURED.iter().flat_map(|folder| entries(folder.as_ref()));
    let own = configured.filter(|(path, found)| is_version_of(found, name.as_ref()) && !is_private(path));
    own.flat_map(|(path, _)| public_parts(&path)).collect()
}

/// Returns true if a path is where packages keep their configuration: in `/etc` or `/var/lib`.
pub fn is_configuration(path: &Path) -> bool {
    CONFIGURED.iter().any(|folder| path.starts_with(folder) && path != Path::new(folder))
}

/// Returns true if a file or folder in `/etc` or `/var/lib` is never shown to programs: it belongs to users, hosts and
/// services, its name suggests secrets, or not everyone may read it.
pub fn is_private(path: &Path) -> bool {
    let Some(below) = CONFIGURED.iter().find_map(|folder| path.strip_prefix(folder).ok()) else { return false };
    let first = below.components().next().map(|part| part.as_os_str().as_encoded_bytes()).unwrap_or_default();
    SERVICES.iter().any(|name| first.starts_with(name.as_bytes()))
        || below.components().any(|part| is_secret(part.as_os_str()))
        || path.symlink_metadata().is_ok_and(|data| !is_for_everyone(&data))
}

/// The parts of a file or folder in `/etc` or `/var/lib` that everyone may read and that contain no secrets: the whole,
/// if that is true of everything in it.
pub fn public_parts(path: &Path) -> Vec<PathBuf> {
    let mut left = MAX_ENTRIES;
    let whole = path.file_name().is_none_or(|name| !is_secret(name));
    let Some(parts) = Some(path).filter(|_| whole).and_then(|path| parts(path, MAX_DEPTH, &mut left)) else {
        return Vec::new();
    };
    if parts.is_empty() { vec![path.to_owned()] } else { parts }
}

/// The public entries of a folder that also has private ones; empty if the whole folder is public, `None` if it is
/// private itself.
fn parts(path: &Path, depth: usize, left: &mut usize) -> Option<Vec<PathBuf>> {
    let data = path.symlink_metadata().ok().filter(is_for_everyone)?;
    if !data.is_dir() {
        // Sockets and the like are not configuration; the target of a link is shown separately, or not at all.
        return (data.is_file() || data.is_symlink()).then(Vec::new);
    }
    if depth == 0 {
        return None;
    }
    let mut public = Vec::new();
    let mut whole = true;
    for (entry, name) in entries(path) {
        *left = left.checked_sub(1)?;
        match Some(&entry).filter(|_| !is_secret(&name)).and_then(|entry| parts(entry, depth - 1, left)) {
            Some(parts) if parts.is_empty() => public.push(entry),
            Some(parts) => {
                whole = false;
                public.extend(parts);
            }
            None => whole = false,
        }
    }
    Some(if whole { Vec::new() } else { public })
}

/// Returns true if every user may read a file, or look into a folder.
fn is_for_everyone(data: &Metadata) -> bool {
    let wanted = if data.is_dir() { 0o005 } else { 0o004 };
    data.is_symlink() || data.mode() & wanted == wanted
}

fn is_secret(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    // Copies that editors and packages leave.
    let name = name.trim_end_matches(['-', '~']);
    SECRETS.contains(&name) || SECRET_ENDS.iter().any(|end| name.ends_with(end))
}

/// Returns true if a name is this one, optionally with a version or an extension: `php83`, `octave.conf`, `sbclrc`.
fn is_version_of(name: &OsStr, known: &OsStr) -> bool {
    let Some(rest) = name.as_encoded_bytes().strip_prefix(known.as_encoded_bytes()) else { return false };
    rest == b"rc" || rest.first().is_none_or(|byte| !byte.is_ascii_alphabetic())
}

/// The letters that a name begins with, without `rc`: the same for a name and its versions ([`is_version_of`]).
fn first_word(name: &OsStr) -> &[u8] {
    let bytes = name.as_encoded_bytes();
    let end = bytes.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(bytes.len());
    bytes[..end].strip_suffix(b"rc").unwrap_or(&bytes[..end])
}

/// Returns the targets in [`CONFIGURED`] of links of languages below `/usr`: those in a folder whose name also exists
/// there, `configured`, and in its subfolders. Searching all of `/usr` would take longer than starting a jail.
fn linked(configured: &[&OsString]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let libraries = format!("{}-linux-gnu", std::env::consts::ARCH);
    let roots = LINKED.iter().map(PathBuf::from).chain([Path::new("/usr/lib").join(libraries)]);
    let words: HashSet<&[u8]> = configured.iter().map(|name| first_word(name)).collect();
    for (folder, name) in roots.flat_map(|root| entries(&root)) {
        let alike = |known: &&OsString| is_version_of(known, &name) || is_version_of(&name, known);
        // The set is checked first: there are thousands of names, and hundreds to compare each with.
        if !words.contains(first_word(&name)) || TEXTS.iter().any(|text| name == *text) || !configured.iter().any(alike)
        {
            continue;
        }
        found.extend(leads_to_configuration(&folder));
        let inner = typed_entries(&folder);
        found.extend(
            inner.iter().filter(|(_, kind)| kind.is_symlink()).filter_map(|(it, _)| leads_to_configuration(it)),
        );
        let folders = inner.iter().filter(|(_, kind)| kind.is_dir());
        let deeper = folders.flat_map(|(folder, _)| typed_entries(folder)).filter(|(_, kind)| kind.is_symlink());
        found.extend(deeper.filter_map(|(link, _)| leads_to_configuration(&link)));
    }
    found
}

/// Returns the target of a link in [`CONFIGURED`], if it is a link and the target is not private.
fn leads_to_configuration(link: &Path) -> Option<PathBuf> {
    // Folders of libraries have hundreds of links, from one version to another.
    let name = link.as_os_str().as_encoded_bytes();
    if name.ends_with(b".jar") || name.windows(3).any(|part| part == b".so") {
        return None;
    }
    let to = fs::read_link(link).ok()?;
    let whole = link.parent()?.join(to).components().fold(PathBuf::new(), |mut whole, part| {
        match part {
            Component::ParentDir => {
                whole.pop();
            }
            part => whole.push(part),
        }
        whole
    });
    (is_configuration(&whole) && !is_private(&whole)).then_some(whole)
}

/// Returns the entries of a folder, with their names; none if it is not a folder.
fn entries(folder: &Path) -> Vec<(PathBuf, OsString)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| (entry.path(), entry.file_name())).collect()
}

/// Returns the entries of a folder with their types; none for a link.
fn typed_entries(folder: &Path) -> Vec<(PathBuf, FileType)> {
    if !folder.symlink_metadata().is_ok_and(|data| data.is_dir()) {
        return Vec::new();
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| Some((entry.path(), entry.file_type().ok()?))).collect()
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    #[test]
    fn the_system_is_there_and_what_is_private_is_not() {
        let paths = system_paths();
        let shows = |path: &str| paths.iter().any(|shown| Path::new(path).starts_with(shown));
        for seen in ["/usr/bin/env", "/bin/sh", "/etc/alternatives", "/etc/ld.so.cache", "/dev/null", "/proc/self"] {
            assert!(!Path::new(seen).exists() || shows(seen), "{seen}");
        }
        for hidden in ["/etc/passwd", "/etc/shadow", "/etc/ssl/private", "/home", "/root", "/tmp", "/run", "/dev/tty"] {
            assert!(!shows(hidden), "{hidden}");
        }
        assert!(paths.is_sorted() && paths.iter().all(|path| path.is_absolute() && exists(path)));
        let inner = paths.windows(2).find(|pair| pair[1].starts_with(&pair[0]));
        assert_eq!(inner, None, "in a path that is shown as a whole");
        assert!(!paths.iter().any(|path| is_private(path) && !path.starts_with("/etc/ssl")), "{paths:?}");
    }

    #[test]
    fn a_name_stands_for_its_versions() {
        let check = |name: &str, known: &str, is: bool| {
            assert_eq!(is_version_of(name.as_ref(), known.as_ref()), is, "{name}");
            assert!(!is || first_word(name.as_ref()) == first_word(known.as_ref()), "{name}");
        };
        for name in ["php", "php83", "php.ini", "php.d"] {
            check(name, "php", true);
        }
        check("phpmyadmin", "php", false);
        check("java-17-openjdk", "java", true);
        check("R", "R", true);
        check("RTL", "R", false);
        check("octave.conf", "octave", true);
        check("sbclrc", "sbcl", true);
        check("perldoc", "perl", false);
    }

    #[test]
    fn what_is_of_services_or_secret_is_private() {
        for path in [
            "/etc/shadow",
            "/etc/shadow-",
            "/etc/gshadow",
            "/etc/passwd",
            "/etc/group",
            "/etc/machine-id",
            "/etc/sudoers.d/x",
            "/etc/ssh/ssh_host_ed25519_key.pub",
            "/etc/ssl/private/a.pem",
            "/etc/hosts",
            "/etc/resolv.conf",
            "/etc/pip.conf",
            "/etc/npmrc",
            "/etc/R/site_rsa",
            "/etc/php/8.2/api.key",
            "/var/lib/docker",
            "/var/lib/dpkg/status",
            "/var/lib/private",
        ] {
            assert!(is_private(Path::new(path)), "{path}");
        }
        for path in ["/etc/R/Renviron", "/etc/php/8.2/cli/php.ini", "/var/lib/ghc", "/etc/racket", "/usr/lib/ssl"] {
            assert!(!is_private(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn a_folder_is_shown_without_what_is_not_for_everyone() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("lang");
        let file = |name: &str, mode: u32| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, "").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        };
        let shown = || {
            let mut parts = public_parts(&folder);
            parts.sort();
            parts.iter().map(|path| path.strip_prefix(place.path()).unwrap().display().to_string()).collect::<Vec<_>>()
        };
        let open = |name: &str, mode| fs::set_permissions(folder.join(name), fs::Permissions::from_mode(mode)).unwrap();
        file("main.conf", 0o644);
        file("conf.d/a.ini", 0o644);
        symlink("/etc/shadow", folder.join("link")).unwrap();
        for name in ["", "conf.d"] {
            open(name, 0o755);
        }
        assert_eq!(shown(), ["lang"]);
        file("conf.d/b.ini", 0o640);
        assert_eq!(shown(), ["lang/conf.d/a.ini", "lang/link", "lang/main.conf"]);
        open("conf.d", 0o750);
        file("server.key", 0o644);
        assert_eq!(shown(), ["lang/link", "lang/main.conf"]);
        open("", 0o700);
        assert_eq!(shown(), [""; 0]);
    }

    #[test]
    fn links_below_usr_lead_to_what_is_shown() {
        let place = tempfile::tempdir().unwrap();
        let check = |to: &str, expected: Option<&str>| {
            let link = place.path().join(to.replace('/', "-"));
            symlink(to, &link).unwrap();
            assert_eq!(leads_to_configuration(&link).as_deref(), expected.map(Path::new), "{to}");
        };
        check("/etc/groovy", Some("/etc/groovy"));
        check("/var/lib/ghc/package.conf.d", Some("/var/lib/ghc/package.conf.d"));
        check("/etc/x/../R/ldpaths", Some("/etc/R/ldpaths"));
        check("/etc/ssl/private", None);
        check("/etc/ssh/ssh_config", None);
        check("/etc", None);
        check("/usr/lib", None);
        check("/etc/alternatives/libblas.so.3", None);
        // Every link of a language's own folder reads in the jail as outside of it.
        let paths = system_paths();
        let names: Vec<OsString> = ["R", "ghc", "groovy"].map(OsString::from).into();
        for link in linked(&names.iter().collect::<Vec<_>>()) {
            let parts = public_parts(&link);
            assert!(parts.iter().all(|part| paths.iter().any(|shown| part.starts_with(shown))), "{}", link.display());
        }
    }
}
