//! What a program of the petri dish may print, and what it is shown.
#![no_main]

use agon_rules::petri::{Action, Announcement, Scene};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = Action::read(bytes);
    let _ = Announcement::read(bytes);
    let _ = Scene::read(bytes);
});
