//! What is refused: expressions that cannot work, and evaluations that cost too much.

use super::*;

#[test]
fn mistakes_are_told_before_there_are_objects() {
    check(&[
        (
            "",
            "compile: the expression is empty; write one that is true where the change may be made",
        ),
        (
            "objekt.spec",
            "compile: there is no variable `objekt`; there are object, request, plan, variables",
        ),
        (
            "plan.lots",
            "compile: `plan` has no field `lots`; it has lost, hints",
        ),
        (
            "request.usrInfo",
            "compile: `request` has no field `usrInfo`; it has operation, userInfo",
        ),
        ("plan == 1", "compile: name a field of `plan`: lost, hints"),
        (
            "variables",
            "compile: name a variable, as in `variables.name`",
        ),
        (
            "has(plan.lost)",
            "compile: `plan.lost` is always present; leave out has()",
        ),
        (
            "has(object)",
            "compile: line 1, column 5 of the expression: invalid argument to has() macro",
        ),
        (
            "object.name.foo()",
            "compile: there is no function or macro `value.foo(…)` for 0 arguments",
        ),
        (
            "'a'.contains()",
            "compile: `contains` is called as `value.contains(…)` with 1 arguments",
        ),
        (
            "semver('1.2.3')",
            "compile: there is no function or macro `semver(…)` for 1 arguments",
        ),
        (
            "'a'.matches(object.x)",
            "compile: the pattern of `matches` must be a string literal",
        ),
        (
            "'a'.matches('(')",
            "compile: the pattern of `matches` is invalid: found open group without closing ')'",
        ),
        ("b'x'", "compile: bytes are not supported; write a string"),
        (
            "Foo{a: 1}",
            "compile: there is no type `Foo` for creating objects; write a map",
        ),
        (
            "1 ? 2 : 3",
            "compile: a condition is needed where there is a value of type int",
        ),
        (
            "[1].all(x.y, true)",
            "compile: line 1, column 10 of the expression: argument must be a simple name",
        ),
        (
            "1 +",
            "compile: line 1, column 4 of the expression: mismatched input '<EOF>' expecting expression",
        ),
        (
            "(1",
            "compile: line 1, column 3 of the expression: expected ')'",
        ),
        (
            "'a' && true",
            "compile: a condition is needed where there is a value of type string",
        ),
        (
            "é == 1",
            "compile: only strings may contain characters beyond ASCII",
        ),
    ]);
}

#[test]
fn nesting_and_length_are_bounded() {
    let nested = [
        "(".repeat(2000) + "1" + &")".repeat(2000),
        "[".repeat(1500),
        "!".repeat(3000) + "true",
        "-".repeat(3000) + "1",
        "true ? 1 : ".repeat(300) + "2",
        "1".to_owned() + &" + 1".repeat(500),
        "object".to_owned() + &".a".repeat(1500),
        "object".to_owned() + &"[0]".repeat(1000),
        "{1:".repeat(900),
        "size(".repeat(800),
        "[1].map(x, ".repeat(300),
        "x".repeat(5000),
    ];
    for expression in nested {
        let (value, _) = run(&expression, "{}", 100_000);
        assert!(value.starts_with("compile: "), "{value}");
        assert!(value.len() < 300, "{value}");
    }
    let fits = "1".to_owned() + &" + 1".repeat(80);
    assert_eq!(run(&fits, "{}", 100_000).0, "81");
    let fits = "true".to_owned() + &" && true".repeat(400);
    assert_eq!(run(&fits, "{}", 100_000).0, "true");
}

/// Whatever the object is, an evaluation ends within its limit: steps are counted, not time.
#[test]
fn attacks_end_at_the_limit() {
    let list = format!(
        "{{\"l\": [{}], \"s\": \"{}\"}}",
        vec!["1"; 200_000].join(","),
        "a".repeat(1_000_000)
    );
    const LIMIT: u64 = 200_000;
    for expression in [
        "object.l.all(a, object.l.all(b, object.l.all(c, a + b + c > 0)))",
        "object.l.map(a, object.l)  == object.l",
        "object.l.map(a, object.s + object.s).size() > 0",
        "object.l.map(a, object.s.replace('a', 'aaaaaaaa')).size() > 0",
        "object.l.map(a, object.s.replace('', object.s)).size() > 0",
        "object.s.replace('a', object.s).size() > 0",
        "object.l.exists(a, object.s.matches('(a|aa)+$x'))",
        "object.s.matches('(a{1,100}){1,100}b')",
        "object.l.exists(a, object.s.contains('aaaaaaaaaaaaaaab'))",
        "object.l.exists(a, object.s == object.s + 'b')",
        "object.l.all(a, object.s.split('').size() > 0)",
        "object.l.map(a, string(a)).join(object.s).size() > 0",
        "object.l.map(a, object.l.map(b, [a, b])).size() > 0",
        "object.l.all(a, object.l == object.l)",
        "object.l.all(a, {object.s: 1}[object.s] == 1)",
        "object.l.all(a, object.l.indexOf(2) < 0)",
        "object.l.filter(a, true).filter(a, 2 in object.l).size() == 0",
        "object.l.all(a, object.s.substring(999999).size() > 0)",
    ] {
        let (value, cost) = run(expression, &list, LIMIT);
        let is_refused = value == "cost" || value.contains("pattern of `matches` is invalid");
        assert!(is_refused, "{expression}: {value} after {cost} steps");
        assert!(cost <= LIMIT, "{expression}: {cost}");
    }
    // A limit does not affect what stays below it.
    assert_eq!(run("object.l.all(a, a == 1)", &list, 2_000_000).0, "true");
}

/// Reading objects costs steps as well.
#[test]
fn reading_an_object_costs_a_step_for_each_value() {
    let mut meter = Meter::new(100);
    assert!(Value::of_json(r#"{"a": [1, 2, {"b": null}]}"#, &mut meter).is_ok());
    assert_eq!(meter.spent(), 6);
    let mut meter = Meter::new(5);
    assert!(matches!(
        Value::of_json(r#"{"a": [1, 2, {"b": null}]}"#, &mut meter),
        Err(Fail::Cost)
    ));
}

#[test]
fn nothing_absorbs_the_limit() {
    let (value, _) = run("[1, 2, 3, 4, 5, 6, 7, 8].all(x, x > 0) || true", "{}", 12);
    assert_eq!(value, "cost");
}

#[test]
fn the_order_of_a_map_is_that_of_its_keys() {
    let one = run(
        "object.map(k, object[k])",
        r#"{"b": 1, "a": 2, "c": 3}"#,
        1000,
    );
    let other = run(
        "object.map(k, object[k])",
        r#"{"c": 3, "b": 1, "a": 2}"#,
        1000,
    );
    assert_eq!(one, other);
    assert_eq!(one.0, "[2, 1, 3]");
}
