//! Commands to copy, read by real shells: what arrives is what was meant, and nothing else runs.
//!
//! `kubectl` is a function that records its arguments and its input. There is no `PATH`, so that any other command would
//! fail and say so.

use std::process::Command;

use serde_json::{Value, json};

use crate::api::exported;
use crate::model::shell::word;

const SHELLS: [&str; 3] = ["/bin/sh", "/bin/dash", "/bin/bash"];

const KUBECTL: &str = r#"kubectl() {
    printf '%s\0' "$@"
    for last do :; done
    if [ "$last" = - ]; then /bin/cat; printf '\0'; fi
}
"#;

/// What a script prints in a shell, up to each NUL.
fn run(shell: &str, script: &str) -> Vec<String> {
    let output = Command::new(shell)
        .args(["-c", script])
        .env_clear()
        .env("PATH", "/nowhere")
        .output()
        .unwrap_or_else(|error| panic!("{shell}: {error}; this test needs dash and bash"));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && errors.is_empty(),
        "{shell}: {errors}\n{script}"
    );
    let printed = String::from_utf8(output.stdout).unwrap();
    printed.split_terminator('\0').map(str::to_owned).collect()
}

/// Characters that hold every byte that UTF-8 has.
fn characters() -> impl Iterator<Item = char> {
    let leads = [
        0x1000, 0x2000, 0x3000, 0x4000, 0x5000, 0x6000, 0x7000, 0x8000, 0x9000,
    ];
    let more = [
        0xa000, 0xb000, 0xc000, 0xd000, 0xe000, 0xf000, 0x1_0000, 0x4_0000,
    ];
    let last = [0x8_0000, 0xc_0000, 0x10_0000];
    let others = leads.into_iter().chain(more).chain(last);
    (0..0x800).chain(others).filter_map(char::from_u32)
}

#[test]
fn every_byte_arrives_as_a_word() {
    let around = |character: char| {
        let both = format!("{character}{character}");
        let ends = format!("{character} x {character}");
        [
            character.to_string(),
            both,
            format!("a{character}b"),
            format!("'{character}'"),
            format!("\\{character}"),
            format!("${character}"),
            ends,
        ]
    };
    // No argument of a program can hold a NUL.
    let texts: Vec<String> = characters()
        .filter(|character| *character != '\0')
        .flat_map(around)
        .chain([String::new(), "$(echo x)`echo x`; echo x & echo x\n".into()])
        .collect();
    for texts in texts.chunks(1000) {
        let words: Vec<_> = texts.iter().map(|text| word(text)).collect();
        let script = format!("printf '%s\\0' {}", words.join(" "));
        for shell in SHELLS {
            assert_eq!(run(shell, &script), texts, "{shell}");
        }
    }
}

fn slice(name: &str, namespace: &str) -> Value {
    json!({
        "apiVersion": "discovery.k8s.io/v1", "kind": "EndpointSlice", "addressType": "IPv4", "endpoints": [],
        "ports": [{"name": "", "port": 8080, "protocol": "TCP"}],
        "metadata": {"name": name, "namespace": namespace, "uid": name, "resourceVersion": "7",
            "ownerReferences": [{"apiVersion": "v1", "kind": "Service", "name": "cart", "uid": "s1", "controller": true, "blockOwnerDeletion": true}],
            "labels": {
                "kubernetes.io/service-name": "cart", "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
                "note": "old"}},
    })
}

/// An update of one slice, the deletion of another, and a creation, in which a text occurs wherever the API has any.
fn input(name: &str, namespace: &str, note: &str) -> Value {
    json!({
        "service": {
            "metadata": {"name": "cart", "namespace": namespace, "uid": "s1", "labels": {"note": note}},
            "spec": {"selector": {"app": "cart"}, "ports": [{"port": 80, "protocol": "TCP", "targetPort": 8080}],
                "clusterIP": "10.96.0.1", "ipFamilies": ["IPv4", "IPv6"]},
        },
        "nodes": [{"metadata": {"name": "node-a"}}],
        "pods": [{
            "metadata": {"name": "cart-1", "namespace": namespace, "labels": {"app": "cart"}},
            "spec": {"nodeName": "node-a"},
            "status": {"podIP": "10.0.0.1", "podIPs": [{"ip": "10.0.0.1"}, {"ip": "fd00::1"}],
                "conditions": [{"type": "Ready", "status": "True"}]},
        }],
        "slices": [
            slice(name, namespace), slice("gone", namespace),
        ],
    })
}

fn script(input: &Value, patches: &str) -> Result<String, crate::Error> {
    let question = json!({"form": "kubectl", "options": {"patches": [patches]}});
    let answer = exported(
        input.to_string().as_bytes(),
        question.to_string().as_bytes(),
    );
    answer.map(|script| String::from_utf8(script).unwrap())
}

#[test]
fn every_byte_of_an_object_arrives_in_the_command() {
    for patches in ["json", "merge", "apply"] {
        let all: String = characters().collect();
        let notes = [
            all.as_str(),
            "'; kubectl hijack; '",
            "$'\\047; kubectl hijack'",
        ];
        for note in notes {
            let script = script(&input("cart-a", "shop", note), patches).unwrap();
            assert!(!script.contains("$'\\") || note.contains("$'\\"));
            for shell in SHELLS {
                let said = run(shell, &format!("{KUBECTL}{script}"));
                let starts = said
                    .iter()
                    .filter(|word| ["patch", "create", "delete", "apply"].contains(&word.as_str()));
                assert!(starts.count() >= 3, "{said:?}");
                let bodies: Vec<Value> = said
                    .iter()
                    .filter(|word| word.starts_with(['{', '[']))
                    .map(|body| serde_json::from_str(body).unwrap())
                    .collect();
                // The slice that is created, and the one that is updated.
                let holding = bodies.iter().filter(|body| has(body, note));
                assert!(holding.count() >= 2, "{shell}, {patches}: {bodies:?}");
                for word in said.iter().filter(|word| !word.starts_with(['{', '['])) {
                    assert!(!word.contains("hijack"), "{word}");
                }
            }
        }
    }
}

fn has(value: &Value, text: &str) -> bool {
    match value {
        Value::String(string) => string == text,
        Value::Array(items) => items.iter().any(|item| has(item, text)),
        Value::Object(fields) => fields.values().any(|field| has(field, text)),
        _ => false,
    }
}

#[test]
fn every_byte_of_a_name_arrives_or_is_refused() {
    let is_legal = |character: char| {
        character.is_ascii_lowercase() || character.is_ascii_digit() || character == '-'
    };
    let refused = |input: &Value, path: &str| {
        let error = script(input, "json").unwrap_err();
        assert_eq!(error.code(), crate::Code::InvalidValue);
        let found = error.path().unwrap();
        // Both slices have the namespace.
        assert_eq!(
            found.replace("/1/metadata/namespace", "/0/metadata/namespace"),
            path
        );
    };
    for character in (0..=0xff_u8).map(char::from) {
        let name = format!("a{character}b");
        let named = input(&name, "shop", "");
        if is_legal(character) || character == '.' {
            let script = script(&named, "json").unwrap();
            for shell in SHELLS {
                let said = run(shell, &format!("{KUBECTL}{script}"));
                assert!(said.contains(&name), "{said:?}");
            }
        } else {
            refused(&named, "/slices/0/metadata/name");
        }
        if !is_legal(character) {
            refused(&input("cart-a", &name, ""), "/slices/0/metadata/namespace");
        }
    }
    for name in ["--all", "-x", "a-"] {
        refused(&input(name, "shop", ""), "/slices/0/metadata/name");
    }
}
