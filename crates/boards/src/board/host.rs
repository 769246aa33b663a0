//! The server behind the pages of boards, and its consequences for their heads.

use agon_message::Locale;
use maud::{Markup, html};

use crate::assets;
use crate::engines::{self, SearchPlace};
use crate::text::{locale, script_words};

/// The server behind the pages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BoardHost {
    Site,
    /// `agon board` on one's own machine.
    Machine,
    /// None: a folder of files.
    Folder,
}

impl BoardHost {
    pub(crate) fn is_site(self) -> bool {
        self == Self::Site
    }

    /// Where searches run unless the visitor chooses otherwise: on one's own machine, native engines are faster and
    /// have more threads.
    pub(super) const fn searches(self) -> SearchPlace {
        match self {
            Self::Site => SearchPlace::Here,
            Self::Machine => SearchPlace::Server,
            Self::Folder => SearchPlace::Only,
        }
    }

    /// What a page with a board has in its head: the texts of scripts, and the engines for the browser.
    pub(super) fn head(self) -> Markup {
        html! {
            (script_words())
            (engines::addresses(self.searches(), &assets::address(engines::WORKER)))
            @if self == Self::Folder { (folder_head()) }
        }
    }
}

/// Lets a browser keep a folder of pages.
fn folder_head() -> Markup {
    let root = if locale() == Locale::English { "" } else { "../" };
    html! {
        link rel="manifest" href={ (root) "manifest.webmanifest" };
        script type="module" src=(assets::address("keep.js")) data-root=(root) {}
    }
}
