//! The semantics of expressions, as defined by CEL and Kubernetes.

mod cases;
mod limits;

use super::*;

const NAMES: &DeclaredNames = &[
    Name {
        name: "object",
        fields: HostFields::Any,
    },
    Name {
        name: "request",
        fields: HostFields::Among(&["operation", "userInfo"]),
    },
    Name {
        name: "plan",
        fields: HostFields::Each(&[("lost", ValueKind::Int), ("hints", ValueKind::List)]),
    },
];

struct World<'v> {
    object: Value<'v>,
}

impl<'v> ValueProvider<'v> for World<'v> {
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

/// The value as text, or why there is none; and the cost.
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
        other => match strings::text_of(other) {
            Some(Value::String(text)) => text.to_string(),
            _ => "?".into(),
        },
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
    ]);
}

#[test]
fn what_need_not_be_there() {
    check(&[
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
            "error: the position is outside the string",
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
        ("ip('nonsense')", "error: the string is not an IP address"),
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
