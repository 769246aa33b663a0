//! Who asks for a search.

use std::net::{IpAddr, Ipv4Addr};

use axum::Extension;

use super::service::Searcher;

/// Where a request comes from, where it is known; all are one visitor otherwise.
#[derive(Clone, Copy, Debug)]
pub struct SearcherAddress(pub IpAddr);

pub(super) fn searcher(address: Option<Extension<SearcherAddress>>, client: &str) -> Searcher {
    let address = address.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |Extension(SearcherAddress(address))| address);
    Searcher { address, client: client.to_owned() }
}
