//! Large answers arrive whole, compressed or not.

use std::io::Read as _;

use agon_game::seed::Stream;
use agon_referee::record::Record;
use agon_referee::verdict::Verdict;
use agon_site::clock::now;
use agon_site::store::{EventKind, Origin};
use agon_site::submission::MAX_SOURCE_BYTES;
use axum::http::StatusCode;
use flate2::read::GzDecoder;
use http_body_util::BodyExt as _;

use super::{TestSite, Who, lost, request};

/// The last line of a large text.
const END: &str = "# the very last line";

/// A text of this many bytes that hardly gets smaller when it is compressed.
fn large_text(bytes: usize) -> String {
    let mut stream = Stream::new(1, "large");
    let mut text = String::with_capacity(bytes);
    while text.len() < bytes - 100 {
        text += &format!("# {:016x}{:016x}\n", stream.next(), stream.next());
    }
    text += &"#".repeat(bytes - END.len() - 1 - text.len());
    text + "\n" + END
}

/// An answer as a client gets it that accepts compressed ones or does not, decompressed.
async fn fetched(site: &TestSite, path: &str, who: &Who, compressed: bool) -> Vec<u8> {
    let mut request = request("GET", path, who);
    if compressed {
        request = request.header("accept-encoding", "gzip, br");
    }
    let answer = site.send(request.body("".into()).unwrap()).await;
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    let encoded = answer.headers().get("content-encoding").is_some_and(|encoding| encoding == "gzip");
    assert!(compressed || !encoded, "{path}");
    let bytes = answer.into_body().collect().await.expect(path).to_bytes();
    assert!(bytes.len() > 256 << 10 || encoded, "{path}: {} bytes", bytes.len());
    if !encoded {
        return bytes.into();
    }
    let mut whole = Vec::new();
    GzDecoder::new(&bytes[..]).read_to_end(&mut whole).expect(path);
    whole
}

#[tokio::test]
async fn large_answers_are_whole_with_and_without_compression() {
    let site = TestSite::new();
    let ((ada, member), (_, host)) = (site.member("ada", false), site.member("host", true));
    let source = large_text(MAX_SOURCE_BYTES);
    let (program, version) = site.program_of(ada, "bot", &source);
    let (_, failed) = site.settled(ada, "failing", &source, Err("CE: it does not compile".into()));
    let mut record = Record::read(&super::pages::failed_record()).unwrap();
    record.result.stderr[0] = large_text(500_000);
    let record = record.write();
    let game = site.rated([program, site.builtin("random")], &lost(Verdict::Re, record.clone()));
    for number in 0..4_000 {
        let origin = Origin::request(None, "192.0.2.1");
        let detail = format!("event {number}, {:0>80}", "x");
        site.site.writer().note_event(EventKind::TokenMade, Some(ada), &origin, detail, now()).unwrap();
    }
    for compressed in [true, false] {
        let answer = async |path: &str, who: &Who| fetched(&site, path, who, compressed).await;
        let text = async |path: &str, who: &Who| String::from_utf8(answer(path, who).await).unwrap();
        let page = text(&format!("/version/{version}"), &member).await;
        assert!(page.contains(END) && page.ends_with("</html>"), "{}", &page[page.len() - 100..]);
        assert_eq!(text(&format!("/api/v1/versions/{version}/source"), &member).await, source);
        for path in [format!("/game/{game}/record"), format!("/api/v1/games/{game}/record")] {
            assert_eq!(text(&path, &member).await, record, "{path}");
        }
        let events = text("/host/events.csv", &host).await;
        assert_eq!((events.lines().count(), events.contains("event 0, ")), (4_001, true));
        for path in [format!("/version/{failed}/failure.tar.gz"), format!("/api/v1/versions/{failed}/failure")] {
            let packed = answer(&path, &member).await;
            let mut archive = tar::Archive::new(GzDecoder::new(&packed[..]));
            let sizes = archive.entries().unwrap().map(|entry| entry.unwrap().size());
            assert!(sizes.max() >= Some(MAX_SOURCE_BYTES as u64), "{path}");
        }
    }
}
