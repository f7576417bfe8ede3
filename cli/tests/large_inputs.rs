//! Inputs larger than the available memory: the command keeps only the needed fields of each object, not the text.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test panics when it fails")]

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The memory limit of a process in KiB, including code and stack.
const MEMORY: usize = 64 << 10;
/// A size over that limit and over the default limit for other inputs: 64 MiB.
const INPUT: usize = 66 << 20;

const CLUSTER: [&str; 4] = [
    r#"{"kind":"Service","apiVersion":"v1","metadata":{"namespace":"shop","name":"cart"},"spec":{"clusterIP":"10.96.0.1","ports":[{"name":"http","protocol":"TCP","port":80,"targetPort":8080}]}}"#,
    r#"{"kind":"Node","apiVersion":"v1","metadata":{"name":"node-1","labels":{"topology.kubernetes.io/zone":"a"}}}"#,
    r#"{"kind":"EndpointSlice","apiVersion":"discovery.k8s.io/v1","metadata":{"namespace":"shop","name":"cart-x","labels":{"kubernetes.io/service-name":"cart"}},"addressType":"IPv4","ports":[{"name":"http","port":8080,"protocol":"TCP"}],"endpoints":[{"addresses":["10.0.0.1"],"conditions":{"ready":true}}]}"#,
    r#"{"kind":"Endpoints","apiVersion":"v1","metadata":{"namespace":"shop","name":"own"},"subsets":[{"addresses":[{"ip":"10.0.0.2"}],"ports":[{"port":80}]}]}"#,
];

/// Unread fields, on one line.
fn unread() -> String {
    let text = "lorem ipsum ".repeat(4000);
    format!(
        r#"{{"kind":"ConfigMap","apiVersion":"v1","metadata":{{"name":"c"}},"data":{{"text":"{text}"}}}}"#
    )
}

/// The number of lines before the last object.
fn lines() -> usize {
    1 + CLUSTER.len() + INPUT / unread().len() + 1
}

/// How a list is written.
struct Format {
    first: &'static str,
    before: &'static str,
    after: &'static str,
    end: &'static str,
}

const JSON: Format = Format {
    first: r#"{"kind":"List","items":["#,
    before: "",
    after: ",",
    end: "]}",
};

const YAML: Format = Format {
    first: "kind: List\nitems:",
    before: "- ",
    after: "",
    end: "",
};

/// Writes the beginning, the cluster, enough unread fields to make it large, and the end, one line for each object.
fn write(input: &mut impl Write, format: &Format, last: &str) -> std::io::Result<()> {
    let Format {
        first,
        before,
        after,
        end,
    } = format;
    let unread = unread();
    writeln!(input, "{first}")?;
    for object in CLUSTER {
        writeln!(input, "{before}{object}{after}")?;
    }
    for _ in 0..lines() - 1 - CLUSTER.len() {
        writeln!(input, "{before}{unread}{after}")?;
    }
    writeln!(input, "{before}{last}{end}")
}

/// Runs the command with that as its standard input and little memory.
fn run(arguments: &str, format: &Format, last: &str) -> Output {
    run_with(arguments, |input| write(input, format, last))
}

fn run_with(
    arguments: &str,
    write: impl FnOnce(&mut std::process::ChildStdin) -> std::io::Result<()>,
) -> Output {
    let command = env!("CARGO_BIN_EXE_slicewise");
    let mut child = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -v {MEMORY}; exec {command} {arguments}"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The command may stop reading before the end.
    let _ = write(&mut child.stdin.take().unwrap());
    child.wait_with_output().unwrap()
}

#[track_caller]
fn check(arguments: &str, format: &Format, expected: &str) {
    let output = run(arguments, format, &CLUSTER[0].replace("cart", "last"));
    let (told, said) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{arguments}: {said}");
    assert!(told.contains(expected), "{arguments}: {told}");
}

#[test]
fn any_size_in_little_memory() {
    check("plan -o json", &JSON, r#""ignored":{"ConfigMap""#);
    check("route --node node-1 -o json", &JSON, "10.0.0.1:8080");
    check("traffic -o json", &JSON, "10.0.0.1:8080");
    check("mirror -o json", &JSON, "ServiceNotFound");
    let empty = Empty::new();
    check(&format!("diff {} - -o json", empty.path()), &JSON, "cart-x");
}

/// All commands read it the same way.
#[test]
fn any_size_in_yaml() {
    check("plan -o json", &YAML, r#""ignored":{"ConfigMap""#);
}

/// A file without slices.
struct Empty(std::path::PathBuf);

impl Empty {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let (process, count) = (std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(format!("slicewise-{process}-{count}.json"));
        std::fs::write(&path, "[]").unwrap();
        Self(path)
    }

    fn path(&self) -> std::path::Display<'_> {
        self.0.display()
    }
}

impl Drop for Empty {
    fn drop(&mut self) {
        // Files left in the temporary folder do no harm.
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn errors_have_their_place_in_all_of_it() {
    let empty = Empty::new();
    let diff = format!("diff {} -", empty.path());
    for arguments in ["route --node node-1", "traffic", "mirror", &diff] {
        let last = r#"{"kind":"Service","apiVersion":"v1","metadata":{"name":7}}"#;
        let output = run(arguments, &JSON, last);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
        assert!(output.stdout.is_empty(), "{arguments}");
        let place = format!(
            r#"/items/{}/metadata/name","line":{}"#,
            lines() - 1,
            lines() + 1
        );
        assert!(said.contains(&place), "{arguments}: {said}, not {place}");
    }
}

/// Writes a request whose pods have much that is not read.
fn write_request(input: &mut impl Write) -> std::io::Result<()> {
    let service = r#"{"metadata":{"name":"cart"},"spec":{"clusterIP":"10.96.0.1","ipFamilies":["IPv4"],"selector":{"app":"cart"},"ports":[{"port":80}]}}"#;
    let nodes = r#"[{"metadata":{"name":"a"}}]"#;
    write!(input, r#"{{"nodes":{nodes},"service":{service},"pods":["#)?;
    let unread = unread();
    for number in 0..=INPUT / unread.len() {
        let metadata = format!(r#"{{"name":"cart-{number}","labels":{{"app":"cart"}}}}"#);
        let status = format!(
            r#"{{"podIPs":[{{"ip":"10.0.{}.{}"}}]}}"#,
            number >> 8,
            number & 255
        );
        writeln!(
            input,
            r#"{{"metadata":{metadata},"unread":{unread},"spec":{{"nodeName":"a"}},"status":{status}}},"#
        )?;
    }
    write!(input, r#"{{"metadata":{{"name":"last"}}}}]}}"#)
}

#[test]
fn a_request_of_any_size() {
    let output = run_with("plan -o json", write_request);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains(r#"["10.0.5.1"]"#), "{told}");
}

/// What must be read at once does not fit; otherwise the other tests would prove nothing.
#[test]
fn the_memory_is_little() {
    let output = run_with("explain --max-input-bytes 100000000", write_request);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("memory"),
        "{said}"
    );
}

/// Planned from standard input; if the input is cut off after a comma, it stays open until the command has exited.
fn plan_of(input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_slicewise"))
        .args(["plan", "-o", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The command may stop reading before the end.
    let _ = stdin.write_all(input);
    let _open = input.ends_with(b",").then_some(stdin);
    child.wait_with_output().unwrap()
}

#[test]
fn a_large_request_is_read_like_a_small_one() {
    let pods = r#"{"metadata":{"name":"a","labels":{"app":"a"}},"status":{"podIP":"10.0.0.1","podIPs":[{"ip":"10.0.0.1"}]}}"#;
    let request = |space: &str, name: &str| {
        let service =
            r#"{"metadata":{"name":"a"},"spec":{"selector":{"app":"a"},"ipFamilies":["IPv4"]}}"#;
        format!(
            "{{\"service\":{service},\"pods\":[{pods}{space}],\n\"nodes\":[{{\"metadata\":{{\"name\":{name}}}}}]}}"
        )
    };
    let large = "\n ".repeat(512 << 10);
    let small = plan_of(request("", "\"b\"").as_bytes());
    assert!(small.status.success() && small.stdout.starts_with(b"{"));
    assert_eq!(plan_of(request(&large, "\"b\"").as_bytes()), small);
    let explained = request(&large, "\"b\"").replace(
        "{\"service\"",
        "{\"options\":{\"explain\":true},\"service\"",
    );
    let refused = plan_of(explained.as_bytes());
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(said.contains("give --explain"), "{said}");
    let wrong = plan_of(request(&large, "7").as_bytes());
    let said = String::from_utf8_lossy(&wrong.stderr);
    let place = r#""path":"/nodes/0/metadata/name","line":524290,"#;
    assert!(said.contains(place), "{said}");
}

/// Whoever watches a cluster may send the next object in an hour.
#[test]
fn a_mistake_is_told_before_the_input_ends() {
    let mut input = format!("{}\n", JSON.first).into_bytes();
    input.extend(br#"{"kind":"Service","apiVersion":"v1","metadata":{"name":7}},"#);
    for _ in 0..8 {
        input.extend(unread().as_bytes());
        input.push(b',');
    }
    let output = plan_of(&input);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("/items/0/metadata/name"), "{said}");
}
