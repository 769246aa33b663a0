//! The parts of the machine that every jailed program may see.

use std::fs;
use std::path::{Path, PathBuf};

/// Programs and what they are made of; devices without a state; what runtimes ask about the processors; processes (a
/// program may open only its own).
const PATHS: [&str; 23] = [
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
    // Libraries of Ruby on Debian.
    "/var/lib/gems",
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

/// How the files and folders begin that programs look for in `/etc`. Of users, hosts, services and keys it shows
/// nothing.
const CONFIGURATION: [&str; 10] = [
    "alternatives",
    // The cache of the dynamic linker, and what is loaded into every program.
    "ld.so.cache",
    "ld.so.preload",
    "java",
    "python",
    "pypy",
    "ruby",
    "localtime",
    "timezone",
    "os-release",
];

/// The files and folders of the system that every program may read and run, those that this machine has.
pub fn system_paths() -> Vec<PathBuf> {
    let configuration = fs::read_dir("/etc").into_iter().flatten().flatten().filter(|entry| {
        let name = entry.file_name();
        CONFIGURATION.iter().any(|begin| name.as_encoded_bytes().starts_with(begin.as_bytes()))
    });
    let mut paths: Vec<PathBuf> = PATHS.iter().map(PathBuf::from).filter(|path| exists(path)).collect();
    paths.extend(configuration.map(|entry| entry.path()));
    paths.sort();
    paths
}

fn exists(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
}

#[cfg(test)]
mod tests {
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
    }
}
