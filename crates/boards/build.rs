//! Finds the engines for the browser, if `scripts/wasm` has built them: without them, every search runs on the server,
//! and without those for several threads, the browser searches on one.

use std::path::Path;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(browser_engines, browser_threads)");
    println!("cargo::rerun-if-changed=engine");
    if ["engine/agon.wasm.gz", "engine/agon-files.wasm.gz"].iter().all(|file| Path::new(file).exists()) {
        println!("cargo::rustc-cfg=browser_engines");
    }
    if Path::new("engine/agon-threads.wasm.gz").exists() {
        println!("cargo::rustc-cfg=browser_threads");
    }
}
