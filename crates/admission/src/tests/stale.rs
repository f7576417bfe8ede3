//! What is answered if the cluster should be known and is not.

use serde_json::{Value, json};

use crate::testing::{cart_slice, context, request, slice_create, text};
use crate::{Asking, Context, ObjectChange, ReviewSubject, decide};

#[test]
fn addresses_are_refused_when_a_watched_cluster_is_not_known() {
    let by_hand = slice_create(&cart_slice(
        "by-hand",
        &json!([{"addresses": ["10.1.0.1"], "targetRef": {"kind": "Pod", "name": "cart-1"}}]),
    ));
    let endpoints = json!({"metadata": {"namespace": "shop", "name": "cart"}, "subsets": [{"addresses": [{"ip": "10.1.0.1"}]}]});
    let endpoints = serde_json::from_str(text(&endpoints)).unwrap();
    let endpoints = request(ReviewSubject::Endpoints(ObjectChange::Create(endpoints)));
    for (request, policy) in [
        (by_hand, "slice-addresses"),
        (endpoints, "endpoints-legacy"),
    ] {
        let judged = |context: &Context, age, config: &Value| {
            let asking = Asking {
                age,
                policy: Some(policy),
                ..Asking::default()
            };
            let config = json!({"policies": {policy: config}}).to_string();
            let config = slicewise::model::read::read_text(&config).unwrap();
            let response = decide(&request, context, &config, asking);
            serde_json::to_value(&response).unwrap()
        };
        let (default, blind) = (json!({}), Context::default());
        assert_eq!(judged(&context(), Some(60), &default)["allowed"], true);
        for (context, age) in [(context(), 61), (Context::default(), 0)] {
            let answer = judged(&context, Some(age), &default);
            assert_eq!(answer["allowed"], false, "{policy} after {age} s");
            let why = answer["status"]["message"].as_str().unwrap();
            assert!(why.contains("were not compared with the pods"), "{why}");
        }
        let answer = judged(&blind, None, &default);
        assert_eq!(answer["allowed"], true, "there is no cluster to know");
        let warning = answer["warnings"][0].as_str().unwrap();
        assert!(
            warning.contains("nothing is known about the cluster"),
            "{warning}"
        );
        for (value, age, is_allowed) in [("deny", None, false), ("warn", Some(0), true)] {
            let config = json!({"whenStale": value});
            assert_eq!(judged(&blind, age, &config)["allowed"], is_allowed);
        }
    }
}
