//! Following programs and people, and the news since the last visit.

use agon_referee::verdict::Verdict;
use agon_site::clock::now;
use agon_site::news;
use agon_site::store::{Followed, MAX_FOLLOWED};
use axum::http::StatusCode;

use super::{TestSite, Who, lost};

#[tokio::test]
async fn an_account_follows_a_program_and_a_person() {
    let site = TestSite::new();
    let ((_, ada), (bob_id, _)) = (site.member("ada", false), site.member("bob", false));
    let (program, _) = site.program(bob_id, "amoeba");
    let empty = site.get("/following", &ada).await.text;
    assert!(empty.contains("Nothing yet"), "{empty}");
    for path in [format!("/program/{program}"), format!("/person/{bob_id}")] {
        let page = site.get(&path, &ada).await.text;
        assert!(page.contains(&format!("{path}/follow\"")) && !page.contains(&format!("{path}/unfollow")), "{page}");
        assert_eq!(site.post(&format!("{path}/follow"), &ada, &[]).await.header("location"), path);
        let page = site.get(&path, &ada).await.text;
        assert!(page.contains(&format!("{path}/unfollow")) && page.contains("/following"), "{page}");
        let list = site.get("/following", &ada).await.text;
        assert!(list.matches("amoeba").count() == 1 && list.contains("The last 14 days"), "{list}");
        site.post(&format!("{path}/unfollow"), &ada, &[]).await;
        assert!(site.get("/following", &ada).await.text.contains("Nothing yet"));
    }
    // One who has not signed in is sent to do so.
    let answer = site.post(&format!("/program/{program}/follow"), &Who::Guest, &[]).await;
    assert!(answer.header("location").starts_with("/signin"), "{}", answer.status);
    assert_eq!(site.post("/program/999/follow", &ada, &[]).await.status, StatusCode::NOT_FOUND);
    assert_eq!(site.post("/person/999/follow", &ada, &[]).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn too_many_are_refused_with_the_remedy() {
    let site = TestSite::new();
    let (_, ada) = site.member("ada", false);
    for at in 0..=MAX_FOLLOWED {
        let (id, _) = site.member(&format!("person{at}"), false);
        let answer = site.post(&format!("/person/{id}/follow"), &ada, &[]).await;
        let wanted = if at < MAX_FOLLOWED { StatusCode::SEE_OTHER } else { StatusCode::CONFLICT };
        assert_eq!(answer.status, wanted);
        assert_eq!(answer.text.contains("follow something else no more"), at == MAX_FOLLOWED, "{}", answer.text);
    }
}

#[tokio::test]
async fn the_news_since_the_last_visit_stand_on_the_front_page() {
    let site = TestSite::new();
    let ((ada_id, ada), (bob_id, _)) = (site.member("ada", false), site.member("bob", false));
    let ((own, _), (other, _)) = (site.program(ada_id, "paramecium"), site.program(bob_id, "amoeba"));
    site.get("/", &ada).await;
    assert!(!site.get("/", &ada).await.text.contains("Since your last visit"), "it is the first");
    // Her last request was yesterday; since then her program has lost to his.
    let day = 86_400;
    site.site.writer().note_seen(ada_id, now() + day).unwrap();
    site.site.writer().note_seen(ada_id, now() + 2 * day).unwrap();
    let last = site.site.writer().last_visit(ada_id).unwrap();
    assert!(last.is_some_and(|last| last > now()));
    site.rated([own, other], &lost(Verdict::Re, String::new()));
    // Nothing has happened since a time to come.
    assert!(!site.get("/", &ada).await.text.contains("1 game: 0 won"));
    let news = |followed, since| news::of(&site.site.writer(), &[followed], &[], since).unwrap().remove(0);
    assert!(!news(Followed::Person(ada_id), now() + 1).is_any());
    let one = news(Followed::Person(ada_id), now() - day);
    assert_eq!((one.games, one.wins, one.draws, one.versions.as_slice()), (1, 0, 0, &[1][..]));
    assert!(one.best.is_none() && one.rise.is_none());
    let his = news(Followed::Program(other), now() - day);
    assert_eq!((his.games, his.wins), (1, 1));
    assert_eq!(his.best.as_ref().map(|(program, _)| program.id), Some(own));
    let shown = site.get(&format!("/following?of=/program/{other},/person/{ada_id},/x/1,"), &Who::Guest).await.text;
    assert!(shown.contains("1 game: 1 won, 0 drawn, 0 lost.") && shown.contains("best win: over"), "{shown}");
    assert!(shown.contains("1 game: 0 won, 0 drawn, 1 lost."), "{shown}");
}

#[tokio::test]
async fn ones_own_competitions_come_first_in_the_navigation() {
    let site = TestSite::new();
    let (ada, cookie) = site.member("ada", false);
    let links = async |who: &Who| -> Vec<String> {
        let page = site.get("/rules", who).await.text;
        let nav = page.split("<nav class=\"competitions\"").nth(1).unwrap().split("</nav>").next().unwrap();
        nav.split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let all = links(&cookie).await;
    assert_eq!((all[0].as_str(), &all), ("/submit", &links(&Who::Guest).await));
    site.program(ada, "bot");
    let own = links(&cookie).await;
    assert_eq!((own[0].as_str(), own.len()), ("/ladder/renju", all.len()), "{own:?}");
    site.change(|competition| competition.closes = Some(now() + 86_400)).await;
    assert_eq!(links(&cookie).await[0], "/ladder/renju", "one with an end, too");
    site.change(|competition| competition.closes = Some(now() - 60)).await;
    assert_eq!(links(&cookie).await[0], "/submit");
}
