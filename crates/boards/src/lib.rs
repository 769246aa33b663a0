//! Boards in a browser, without a site: pages to play and to analyse on, which `agon board` serves and a folder can
//! hold, and what they share with the pages of a site.
//!
//! - [`board`] are the pages, [`analysis`] answers their questions, [`engines`] and [`assets`] are what browsers load.
//! - [`viewer`] draws a game, recorded or live; [`picture`] draws boards without a browser.
//! - [`text`] has all texts of pages, in English and Korean; [`layout`], [`headers`], [`json`], [`listen`] and
//!   [`limits`] are the HTTP that both have.

pub mod analysis;
pub mod assets;
pub mod board;
pub mod brand;
pub mod engines;
pub mod headers;
pub mod json;
pub mod layout;
pub mod limits;
pub mod listen;
pub mod lock;
pub mod picture;
pub mod text;
pub mod viewer;
