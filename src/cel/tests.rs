use super::*;

const NAMES: &Names = &[
    Name {
        name: "object",
        fields: Fields::Any,
    },
    Name {
        name: "request",
        fields: Fields::Among(&["operation", "userInfo"]),
    },
    Name {
        name: "plan",
        fields: Fields::Each(&[("lost", Kind::Int), ("hints", Kind::List)]),
    },
];

struct World<'v> {
    object: Value<'v>,
}

impl<'v> Host<'v> for World<'v> {
    fn named(&self, used: Used) -> Result<Value<'v>, Fail> {
        Ok(match (used.name, used.field) {
            (0, _) => self.object.clone(),
            (2, 0) => Value::Int(3),
            _ => Value::Null,
        })
    }

    fn variable(&self, _: &str, _: &mut Meter) -> Result<Value<'v>, Fail> {
        Ok(Value::Int(7))
    }
}

/// The value as text, or why there is none; and what it cost.
fn run(expression: &str, object: &str, limit: u64) -> (String, u64) {
    let program = match compile(expression, NAMES) {
        Ok(program) => program,
        Err(message) => return (format!("compile: {message}"), 0),
    };
    let object = Value::of_json(object, &mut Meter::new(u64::MAX)).unwrap();
    let mut meter = Meter::new(limit);
    let value = evaluate(&program, &World { object }, &mut meter);
    let text = match value {
        Ok(value) => show(&value),
        Err(Fail::Cost) => "cost".into(),
        Err(Fail::Error(message)) => format!("error: {message}"),
    };
    (text, meter.spent())
}

fn show(value: &Value<'_>) -> String {
    match value {
        Value::Null => "null".into(),
        Value::String(text) => format!("{:?}", &**text),
        Value::List(items) => {
            let items: Vec<_> = items.iter().map(show).collect();
            format!("[{}]", items.join(", "))
        }
        Value::Map(map) => {
            let entries = map.entries().iter();
            let entries: Vec<_> = entries
                .map(|(key, value)| format!("{}: {}", show(&key.value()), show(value)))
                .collect();
            format!("{{{}}}", entries.join(", "))
        }
        Value::Optional(None) => "none".into(),
        Value::Optional(Some(value)) => format!("some {}", show(value)),
        Value::Uint(number) => format!("{number}u"),
        Value::Double(number) => format!("{number:?}"),
        other => strings::text_of(other).map_or("?".into(), |text| match text {
            Value::String(text) => text.to_string(),
            _ => "?".into(),
        }),
    }
}

const SERVICE: &str = r#"{
    "metadata": {"name": "cart", "namespace": "shop", "labels": {"z": "1", "app": "cart", "team": "core"}, "annotations": null},
    "spec": {"ports": [{"name": "http", "port": 80}, {"name": "metrics", "port": 9090, "nodePort": 30090}],
             "weights": [1, 2.5, 1e3, 18446744073709551615, -3], "externalIPs": ["10.0.0.1", "192.0.2.7"]}
}"#;

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (expression, expected) in cases {
        let (value, _) = run(expression, SERVICE, 100_000);
        assert_eq!(value, *expected, "{expression}");
    }
}

#[test]
fn what_users_of_kubernetes_write() {
    check(&[
        ("object.metadata.name == 'cart'", "true"),
        (
            "object.metadata.labels.exists(k, k == 'app' && object.metadata.labels[k] == 'cart')",
            "true",
        ),
        ("object.metadata.labels.all(k, k.size() <= 4)", "true"),
        (
            "object.metadata.labels.map(k, k)",
            r#"["app", "team", "z"]"#,
        ),
        (
            "has(object.metadata.labels) && 'app' in object.metadata.labels",
            "true",
        ),
        ("has(object.metadata.finalizers)", "false"),
        ("has(object.metadata.annotations)", "true"),
        (
            "!has(object.metadata.annotations) || object.metadata.annotations == null",
            "true",
        ),
        (
            "object.spec.ports.all(p, !has(p.nodePort) || p.nodePort >= 30000)",
            "true",
        ),
        ("object.spec.ports.exists_one(p, p.name == 'http')", "true"),
        (
            "object.spec.ports.filter(p, p.port > 1024).map(p, p.name)",
            r#"["metrics"]"#,
        ),
        (
            "object.spec.ports.map(p, p.port > 1024, p.name)",
            r#"["metrics"]"#,
        ),
        (
            "object.spec.ports[0].port + object.spec.ports[1].port",
            "9170",
        ),
        ("size(object.spec.ports) == 2 ? 'two' : 'other'", "\"two\""),
        (
            "object.spec.externalIPs.all(a, cidr('10.0.0.0/8').containsIP(ip(a)))",
            "false",
        ),
        (
            "object.spec.externalIPs.exists(a, cidr('192.0.2.0/24').containsIP(a))",
            "true",
        ),
        (
            "object.metadata.name.startsWith('ca') && object.metadata.name.endsWith('rt')",
            "true",
        ),
        (
            "object.metadata.name.matches('^[a-z]([-a-z0-9]*[a-z0-9])?$')",
            "true",
        ),
        ("matches(object.metadata.name, r'^\\d+$')", "false"),
        (
            "object.metadata.?labels.?team.orValue('nobody')",
            "\"core\"",
        ),
        (
            "object.metadata.?labels.?owner.orValue('nobody')",
            "\"nobody\"",
        ),
        ("object.?status.loadBalancer.ingress.hasValue()", "false"),
        (
            "object.metadata.labels[?'owner'].or(object.metadata.labels[?'team'])",
            "some \"core\"",
        ),
        ("object.spec.ports[?7].hasValue()", "false"),
        ("[?object.metadata.?labels.?owner, 'x']", "[\"x\"]"),
        ("{'a': 1, ?'b': optional.none()}", "{\"a\": 1}"),
        (
            "object.spec.externalIPs.join(', ')",
            "\"10.0.0.1, 192.0.2.7\"",
        ),
        (
            "'a,b,c'.split(',').map(x, x.upperAscii())",
            r#"["A", "B", "C"]"#,
        ),
        ("plan.lost > 2 && variables.anything == 7", "true"),
        (
            "type(object.spec) == map && type(1) == int && type(null) == null_type",
            "true",
        ),
    ]);
}

#[test]
fn numbers() {
    check(&[
        (
            "object.spec.weights",
            "[1, 2.5, 1000.0, 1.8446744073709552e19, -3]",
        ),
        ("9223372036854775807 + 1", "error: the number is too large"),
        ("-9223372036854775808 - 1", "error: the number is too large"),
        ("-(-9223372036854775808)", "error: the number is too large"),
        ("9223372036854775807 * 2", "error: the number is too large"),
        (
            "-9223372036854775808 / -1",
            "error: the number is too large",
        ),
        (
            "-9223372036854775808 % -1",
            "error: the number is too large",
        ),
        ("0u - 1u", "error: the number is too large"),
        ("1 / 0", "error: division by zero"),
        ("7 % 0", "error: division by zero"),
        ("1.0 / 0.0", "inf"),
        ("7 / 2 * 2 + 7 % 2", "7"),
        ("1 == 1.0 && 1 == 1u && 1u < 1.5 && 2 > 1.5", "true"),
        ("9007199254740993 == 9007199254740992.0", "false"),
        ("9223372036854775807 < 9223372036854775808.0", "true"),
        ("18446744073709551615u > -1", "true"),
        (
            "dyn(1) + dyn(1.0)",
            "error: `+` does not take int and double",
        ),
        ("1 + 1.0", "compile: `+` does not take int and double"),
        ("int('12') + int(3.9) + int(4u)", "19"),
        ("int(1e19)", "error: the number is out of range"),
        ("uint(-1)", "error: the number is out of range"),
        ("double('1.5') + double(2)", "3.5"),
        (
            "string(1.0) + string(2.5) + string(true) + string(7u)",
            "\"12.5true7\"",
        ),
        ("[3, 1, 2].min() + [3, 1, 2].max() + [3, 1, 2].sum()", "10"),
        ("[1, 2, 2].isSorted() && ![2, 1].isSorted()", "true"),
        ("1 < 'a'", "compile: `<` does not take int and string"),
    ]);
}

#[test]
fn errors_are_absorbed_where_the_other_side_decides() {
    check(&[
        ("object.missing == 1 || true", "true"),
        ("true || object.missing == 1", "true"),
        ("object.missing == 1 && false", "false"),
        (
            "object.missing == 1 || false",
            "error: no such key: missing",
        ),
        ("object.spec.ports.exists(p, p.nodePort == 30090)", "true"),
        ("object.spec.ports.all(p, p.nodePort == 1)", "false"),
        (
            "object.spec.ports.all(p, p.nodePort == 30090)",
            "error: no such key: nodePort",
        ),
        (
            "object.spec.ports.exists_one(p, p.nodePort == 30090)",
            "error: no such key: nodePort",
        ),
        (
            "object.metadata.name.foo",
            "error: a value of type string has no members",
        ),
        ("object.spec.ports[2]", "error: index out of bounds: 2"),
        ("object.spec.ports[-1]", "error: index out of bounds: -1"),
        (
            "object.metadata.name ? 1 : 2",
            "error: a condition is needed where there is a value of type string",
        ),
    ]);
}

#[test]
fn equality_containers_and_text() {
    check(&[
        ("[1, {'a': [2.0]}] == [1.0, {'a': [2]}]", "true"),
        ("{1: 'a', 2u: 'b'}[1u] + {1: 'a'}[1.0]", "\"aa\""),
        ("{'a': 1, 'a': 2}", "error: the map has a key twice"),
        ("dyn('1') == dyn(1)", "false"),
        ("'1' == 1", "compile: `==` does not take string and int"),
        ("2 in [1, 2.0] && !(3 in [1]) && 1 in {1: 2}", "true"),
        ("[1] + [2, 3]", "[1, 2, 3]"),
        ("'größe'.size() + size('日本')", "7"),
        ("'größe'.substring(2, 4) + 'größe'.charAt(2)", "\"ößö\""),
        (
            "'größe'.substring(3, 2)",
            "error: the place is not in the string",
        ),
        ("'abcabc'.indexOf('c') + 'äbcabc'.lastIndexOf('c')", "7"),
        (
            "'abcabc'.replace('b', 'XX') + 'aaa'.replace('a', 'b', 2)",
            "\"aXXcaXXcbba\"",
        ),
        (
            "'abc'.split('') + 'a.b.c'.split('.', 2)",
            r#"["a", "b", "c", "a", "b.c"]"#,
        ),
        ("'  x '.trim() + 'Ab'.lowerAscii()", "\"xab\""),
        ("[1, 2, 1].indexOf(1) + [1, 2, 1].lastIndexOf(1)", "2"),
        (
            "isIP('10.0.0.1') && !isIP('010.0.0.1') && !isCIDR('10.0.0.1') && isCIDR('fd00::/8')",
            "true",
        ),
        (
            "ip('fe80::1').family() == 6 && ip('fe80::1').isLinkLocalUnicast() && ip('127.0.0.1').isLoopback()",
            "true",
        ),
        (
            "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && cidr('10.0.0.0/8').prefixLength() == 8",
            "true",
        ),
        (
            "string(cidr('10.0.0.0/8').ip()) + string(cidr('10.0.0.0/8'))",
            "\"10.0.0.010.0.0.0/8\"",
        ),
        ("ip('nonsense')", "error: the text is not an IP address"),
        (r#""\u00e9" + '\x41' + r'\d'"#, "\"éA\\\\d\""),
        ("'é'", "\"é\""),
        ("object.spec.ports.map(object, object.port)", "[80, 9090]"),
        (
            "[[1, 2], [3]].map(x, x.map(y, y * size(x)))",
            "[[2, 4], [3]]",
        ),
        (
            "optional.ofNonZeroValue('').orValue('x') + optional.of('y').value()",
            "\"xy\"",
        ),
    ]);
}

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
            "compile: `plan.lost` is always there; leave out has()",
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
            "timestamp('x')",
            "compile: there is no function or macro `timestamp(…)` for 1 arguments",
        ),
        (
            "'a'.matches(object.x)",
            "compile: the pattern of `matches` must be written out as a string",
        ),
        (
            "'a'.matches('(')",
            "compile: the pattern of `matches` cannot be used: unopened parenthesis",
        ),
        ("b'x'", "compile: bytes are not supported; write a string"),
        (
            "Foo{a: 1}",
            "compile: there is no type `Foo` to make objects of; write a map",
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
            "compile: line 1, column 3 of the expression: mismatched input <EOF> expecting ')'",
        ),
        (
            "'a' && true",
            "compile: a condition is needed where there is a value of type string",
        ),
        (
            "é == 1",
            "compile: only strings may hold characters beyond ASCII",
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
        let is_refused = value == "cost" || value.contains("pattern of `matches` cannot be used");
        assert!(is_refused, "{expression}: {value} after {cost} steps");
        assert!(cost <= LIMIT, "{expression}: {cost}");
    }
    // A limit is no judgement of what stays below it.
    assert_eq!(run("object.l.all(a, a == 1)", &list, 2_000_000).0, "true");
}

/// Reading objects is paid for, too.
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
