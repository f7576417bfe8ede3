//! A page of a list that is given in pieces is taken as a whole one is.

use super::left_out::{apply, good, list, listing, status, unaddressed, unlabelled};
use super::*;
use slicewise_live::json::ListPieces;

fn in_pieces(
    reviewer: &mut Reviewer,
    page: &[u8],
    cut: impl Fn(usize) -> usize,
) -> Result<Value, Error> {
    let mut list = ListPieces::default();
    let mut at = 0;
    while at < page.len() {
        let end = page.len().min(at + cut(at).max(1));
        reviewer.push_list(&mut list, &page[at..end])?;
        at = end;
    }
    let applied = reviewer.finish_list(list)?;
    Ok(serde_json::to_value(applied).unwrap())
}

#[test]
fn a_page_in_pieces_is_taken_as_a_whole_one() {
    let items = [
        good("a"),
        unlabelled("b"),
        unaddressed("c", "é"),
        good("d"),
        unlabelled("e"),
    ];
    let mut continued = list(&items);
    continued["metadata"]["continue"] = "more".into();
    let mut late = list(&items)
        .to_string()
        .replacen(r#""kind":"PodList","#, "", 1);
    late.insert_str(late.len() - 1, r#","kind":"PodList""#);
    let twice = list(&[good("a"), unlabelled("b"), good("a")]);
    let others = list(&[
        good("a"),
        json!({"kind": "Node", "apiVersion": "v1", "metadata": {"name": "n"}}),
    ]);
    let deployments = json!({"kind": "DeploymentList", "items": [{"kind": "Deployment"}]});
    let cut: String = list(&items).to_string().chars().take(200).collect();
    for page in [
        list(&items).to_string(),
        list(&[]).to_string(),
        list(&[unlabelled("a"), good("a")]).to_string(),
        continued.to_string(),
        late,
        twice.to_string(),
        others.to_string(),
        deployments.to_string(),
        cut,
        format!("{} 1", list(&items)),
    ] {
        let start = || {
            let mut reviewer = reading("", "").unwrap();
            apply(&mut reviewer, &list(&[good("b"), good("gone")]).to_string());
            apply(&mut reviewer, &listing("Pod").to_string());
            reviewer
        };
        let mut whole = start();
        let expected = whole.apply(page.as_bytes(), Limits::default());
        let expected = expected.map(|applied| serde_json::from_slice::<Value>(&applied).unwrap());
        for seed in 0..60 {
            let mut reviewer = start();
            let cut = |at: usize| match seed {
                0 => 1,
                1 => usize::MAX / 2,
                _ => (at * 7919 + seed * 104_729) % 97,
            };
            let applied = in_pieces(&mut reviewer, page.as_bytes(), cut);
            match (&applied, &expected) {
                (Ok(applied), Ok(expected)) => {
                    let positions = |applied: &Value| {
                        applied
                            .to_string()
                            .split(r#""line""#)
                            .map(|part| part.trim_start_matches(|c: char| c != '}').to_string())
                            .collect::<Vec<_>>()
                    };
                    assert_eq!(positions(applied), positions(expected), "{page}");
                    assert_eq!(
                        reviewer.status().unwrap(),
                        whole.status().unwrap(),
                        "{page}"
                    );
                }
                (Err(error), Err(expected)) => {
                    assert_eq!(error.code(), expected.code(), "{page}: {error} {expected}");
                    // It is still being listed, and starts again.
                    apply(&mut reviewer, &listing("Pod").to_string());
                    apply(&mut reviewer, &list(&[good("z")]).to_string());
                    assert_eq!(status(&reviewer, "Pod"), (true, 1, 0), "{page}");
                }
                _ => panic!("{page}: {applied:?}, not {expected:?}"),
            }
        }
    }
}

#[test]
fn a_list_in_pieces_belongs_to_a_listing() {
    let mut reviewer = reading("", "").unwrap();
    let page = list(&[good("a")]).to_string();
    let error = in_pieces(&mut reviewer, page.as_bytes(), |_| 40).unwrap_err();
    assert!(error.message().contains("LISTING"), "{error}");
    assert_eq!(status(&reviewer, "Pod"), (false, 0, 0));
    let empty = list(&[]).to_string();
    in_pieces(&mut reviewer, empty.as_bytes(), |_| 40).unwrap_err();
    let mixed = json!({"kind": "List", "items": []}).to_string();
    let error = in_pieces(&mut reviewer, mixed.as_bytes(), |_| 40).unwrap_err();
    assert_eq!(error.path(), Some("/kind"));
}

#[test]
fn several_lists_are_read_side_by_side_in_little_memory() {
    let mut reviewer = reading("", "").unwrap();
    let mut lists = Vec::new();
    for (kind, version) in [("Pod", "v1"), ("Node", "v1")] {
        apply(&mut reviewer, &listing(kind).to_string());
        let text = r"\u003c".repeat(50_000);
        let items: Vec<String> = (0..9)
            .map(|number| format!(r#"{{"metadata":{{"namespace":"shop","name":"o-{number}"}},"spec":{{"containers":[{{"args":["{text}"]}}]}}}}"#))
            .collect();
        let page = format!(
            r#"{{"kind":"{kind}List","apiVersion":"{version}","metadata":{{}},"items":[{}]}}"#,
            items.join(",")
        );
        lists.push((ListPieces::default(), page));
    }
    let longest = lists[0].1.len();
    for at in (0..longest).step_by(65_536) {
        for (list, page) in &mut lists {
            let end = page.len().min(at + 65_536);
            let piece = page.as_bytes().get(at..end).unwrap_or_default();
            reviewer.push_list(list, piece).unwrap();
            assert!(list.buffered() < 3 * longest / 9, "{}", list.buffered());
        }
    }
    for (list, _) in lists {
        reviewer.finish_list(list).unwrap();
    }
    assert_eq!(status(&reviewer, "Pod"), (true, 9, 0));
    assert_eq!(status(&reviewer, "Node"), (true, 9, 0));
}
