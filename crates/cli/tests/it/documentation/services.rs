//! The units of systemd in `deploy/`.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The worst exposure that `systemd-analyze security` may find, in tenths: what is left is the network, and what the
/// jail consists of.
const MAX_EXPOSURE_TENTHS: u32 = 28;

#[test]
fn services_take_no_more_than_they_need() {
    for unit in ["agon.service", "agon-worker.service"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy").join(unit);
        let text = fs::read_to_string(&path).unwrap();
        for line in ["MemoryMax=", "TasksMax=", "User=", "NoNewPrivileges=yes", "ProtectSystem=strict", "UMask=0077"] {
            assert!(text.lines().any(|found| found.starts_with(line)), "{unit} has no {line}");
        }
        // An older systemd looks only at units that are installed.
        let Ok(found) = Command::new("systemd-analyze").args(["security", "--offline=true"]).arg(&path).output() else {
            continue;
        };
        let found = String::from_utf8_lossy(&found.stdout).into_owned();
        let Some(exposure) = found.lines().find_map(|line| line.split("exposure level for ").nth(1)) else { continue };
        let level = exposure.split_whitespace().nth(1).unwrap();
        let tenths: u32 = level.replace('.', "").parse().unwrap();
        assert!(tenths <= MAX_EXPOSURE_TENTHS, "{unit}: {level}");
    }
}
