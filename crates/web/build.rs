//! Finds the engines for the browser, if `scripts/wasm` has made them: a build without them asks the server for every
//! search.

use std::path::Path;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(browser_engines)");
    println!("cargo::rerun-if-changed=engine");
    if ["engine/agon.wasm.gz", "engine/agon-files.wasm.gz"].iter().all(|file| Path::new(file).exists()) {
        println!("cargo::rustc-cfg=browser_engines");
    }
}
