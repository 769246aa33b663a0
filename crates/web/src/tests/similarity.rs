//! The report of sources that are alike.

use agon_catalog::Game;
use agon_referee::agent::Language;
use agon_site::clock::now;
use agon_site::store::Submission;
use axum::http::StatusCode;
use serde_json::json;

use super::interface::read;
use super::{TestSite, Who};

/// A program without copied parts.
const OWN: &str = "
def search(position, depth, low, high):
    if depth == 0 or position.over():
        return evaluate(position) - 2 * len(position.holes)
    for move in sorted(position.moves(), key=lambda move: -history[move]):
        value = -search(position.after(move), depth - 1, -high, -low)
        if value >= high:
            history[move] += depth * depth
            return value
        low = max(low, value)
    return low
";

fn submit(site: &TestSite, name: &str, source: &str) -> i64 {
    let (account, _) = site.member(name, false);
    let competition = site.competition("renju");
    let submission = Submission { account, competition, name: "bot", language: Language::Python3, source };
    site.site.writer().submit(&submission, &site.site.options.submissions, now()).unwrap().unwrap()
}

#[tokio::test]
async fn the_host_sees_who_has_copied() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    assert!(site.get("/host/similarity", &host).await.text.contains("Nothing has been compared"));
    let start = Game::RENJU.sample();
    let one = submit(&site, "ada", &format!("{start}{OWN}"));
    let copy =
        OWN.replace("position", "p").replace("depth", "<d>").replace("<d>", "n").replace("\n    ", "\n    # so\n    ");
    let other = submit(&site, "bob", &format!("{copy}{start}"));
    submit(&site, "mallory", start);
    let answer = site.post("/host/similarity", &host, &[]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let text = site.get("/host/similarity", &host).await.text;
    assert!(text.contains("3 versions, compared") && text.contains("ada") && text.contains("bob"), "{text}");
    assert!(
        !text.contains("mallory") && text.matches("Side by side").count() == 1,
        "the sample alone is no copy: {text}"
    );
    let pair = site.get(&format!("/host/similarity/{one}/{other}"), &host).await.text;
    assert!(pair.contains("They share one part") && pair.contains("<mark id=\"a1\">"), "{pair}");
    let side = |from: &str| pair.split(from).nth(1).unwrap().split("</mark>").next().unwrap().to_owned();
    assert!(side("<mark id=\"a1\">").contains("history[move] += depth * depth"), "{pair}");
    assert!(side("<mark id=\"b1\">").contains("history[move] += n * n"));
    // The same for programs.
    let report = read(&site.get("/api/v1/host/similarity", &host).await);
    assert_eq!((&report["versions"], &report["pairs"][0]["versions"][0]["owner"]), (&json!(3), &json!("ada")));
    assert_eq!(read(&site.json("/api/v1/host/similarity", &host, "").await)["pairs"], report["pairs"]);
    let both = read(&site.get(&format!("/api/v1/host/similarity/{one}/{other}"), &host).await);
    let [start, end] = ["starts", "ends"].map(|end| both["regions"][0][end][1].as_u64().unwrap() as usize);
    assert!(both["sources"][1].as_str().unwrap()[start..end].contains("history[move] += n * n"), "{both}");
    assert_eq!(site.get("/host/similarity/1/99", &host).await.status, StatusCode::NOT_FOUND);
    for who in [Who::Guest, site.member("zoe", false).1] {
        assert_ne!(site.get(&format!("/host/similarity/{one}/{other}"), &who).await.status, StatusCode::OK);
    }
}
