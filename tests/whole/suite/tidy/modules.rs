//! The modules of a package, parsed from its sources, and what each of its files imports from which.

use std::collections::BTreeMap;

use super::circles::Imports;
use super::without_tests;

/// How many re-exports of a name are followed.
const DEEPEST: usize = 8;

type Name = Vec<String>;

#[derive(Default)]
struct Module {
    file: String,
    tokens: Vec<String>,
    /// What `use` imports: the local name, the path as written, and whether it is only re-exported.
    uses: Vec<Use>,
    words: BTreeMap<String, usize>,
}

struct Use {
    name: String,
    path: Name,
    public: bool,
}

/// Identifiers, `::` and single punctuation marks, without comments, strings and test-only items.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let raw = rest.strip_prefix('r').and_then(|after| {
            let (hashes, inside) = after.split_once('"')?;
            let is_raw = hashes.chars().all(|mark| mark == '#');
            let end = format!("\"{hashes}");
            let length = inside.find(&end).filter(|_| is_raw)?;
            Some(1 + hashes.len() + 1 + length + end.len())
        });
        let length = if let Some(length) = raw {
            length
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == '"' {
            string_length(rest)
        } else if let Some(length) = ["'\"'", "'\\''", "'\\\\'", "'{'", "'}'"]
            .iter()
            .find_map(|char| rest.starts_with(char).then_some(char.len()))
        {
            length
        } else if first.is_alphanumeric() || first == '_' {
            let length = rest
                .find(|character: char| !character.is_alphanumeric() && character != '_')
                .unwrap_or(rest.len());
            tokens.push(rest.split_at(length).0.to_owned());
            length
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else {
            if !first.is_whitespace() {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = rest.split_at(length).1;
    }
    without_test_items(&tokens)
}

fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Drops what follows `#[cfg(test)]`: up to the next `;`, or the end of the next block.
fn without_test_items(tokens: &[String]) -> Vec<String> {
    let mark = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].iter().take(mark.len()).eq(mark) {
            let mut depth = 0;
            at += mark.len();
            while at < tokens.len() {
                let token = tokens[at].as_str();
                at += 1;
                depth += i32::from(token == "{") - i32::from(token == "}");
                if depth == 0 && [";", "}"].contains(&token) {
                    break;
                }
            }
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

fn is_word(token: &str) -> bool {
    token.starts_with(|character: char| character.is_alphabetic() || character == '_')
}

/// The paths in a `use` tree, each with its local name; returns where the tree ends.
fn read_tree(
    tokens: &[String],
    mut at: usize,
    before: &Name,
    found: &mut Vec<(String, Name)>,
) -> usize {
    let mut path = before.clone();
    loop {
        match tokens.get(at).map(String::as_str) {
            Some("::") => at += 1,
            Some("{") => {
                at += 1;
                while tokens[at] != "}" {
                    at = read_tree(tokens, at, &path, found);
                    at += usize::from(tokens[at] == ",");
                }
                return at + 1;
            }
            Some("as") => {
                found.push((tokens[at + 1].clone(), path));
                return at + 2;
            }
            Some(word) if is_word(word) || word == "*" => {
                path.push(word.to_owned());
                at += 1;
            }
            _ => {
                if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
                    path.pop();
                }
                let name = path.last().cloned().unwrap_or_default();
                found.push((name, path));
                return at;
            }
        }
    }
}

fn read_module(file: String, text: &str) -> Module {
    let tokens = tokens(without_tests(text));
    let mut module = Module {
        file,
        ..Module::default()
    };
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at] == "use" {
            // `pub use`, `pub(crate) use`
            let public = at > 0 && ["pub", ")"].contains(&tokens[at - 1].as_str());
            let mut found = Vec::new();
            at = read_tree(&tokens, at + 1, &Vec::new(), &mut found);
            module.uses.extend(
                found
                    .into_iter()
                    .map(|(name, path)| Use { name, path, public }),
            );
        } else {
            if is_word(&tokens[at]) {
                *module.words.entry(tokens[at].clone()).or_default() += 1;
            }
            module.tokens.push(tokens[at].clone());
            at += 1;
        }
    }
    module
}

pub(super) struct Package {
    modules: BTreeMap<Name, Module>,
}

impl Package {
    /// The sources by their paths below the root. A binary next to a library is a separate crate with a single file.
    pub(super) fn new(sources: &[(String, String)]) -> Self {
        let has_library = sources.iter().any(|(path, _)| path == "lib.rs");
        let mut modules = BTreeMap::new();
        for (path, text) in sources {
            let name = path.trim_end_matches(".rs").split('/');
            let mut name: Name = name.map(ToOwned::to_owned).collect();
            let is_test = |part: &String| ["tests", "testing"].contains(&part.as_str());
            if name.iter().any(is_test) || (has_library && name == ["main"]) {
                continue;
            }
            if name == ["lib"] || name == ["main"] || name.last().is_some_and(|last| last == "mod")
            {
                name.pop();
            }
            modules.insert(name, read_module(path.clone(), text));
        }
        Self { modules }
    }

    /// The module, and the name in it, that `path` refers to as written in module `from`.
    fn resolve(&self, from: &Name, path: &[String], depth: usize) -> Option<(Name, String)> {
        let (first, rest) = path.split_first().filter(|_| depth < DEEPEST)?;
        let mut at = from.clone();
        match first.as_str() {
            "crate" => at.clear(),
            "self" => {}
            "super" => {
                at.pop();
            }
            word => {
                let child: Name = [from.as_slice(), &[word.to_owned()]].concat();
                if self.modules.contains_key(&child) {
                    at = child;
                } else {
                    // A module imported with `use`; other imported names are counted there.
                    let used = self.modules[from]
                        .uses
                        .iter()
                        .find(|used| used.name == word)?;
                    let (module, name) = self.resolve(from, &used.path, depth + 1)?;
                    if !name.is_empty() {
                        return None;
                    }
                    at = module;
                }
            }
        }
        self.walk(at, rest, depth)
    }

    fn walk(&self, mut at: Name, mut rest: &[String], depth: usize) -> Option<(Name, String)> {
        while let Some((next, after)) = rest.split_first() {
            if next == "super" {
                at.pop();
                rest = after;
                continue;
            }
            let child: Name = [at.as_slice(), std::slice::from_ref(next)].concat();
            if self.modules.contains_key(&child) {
                at = child;
                rest = after;
                continue;
            }
            let module = self.modules.get(&at)?;
            for used in module.uses.iter().filter(|used| used.name == *next) {
                let whole: Name = [used.path.as_slice(), after].concat();
                if let Some(found) = self.resolve(&at, &whole, depth + 1) {
                    return Some(found);
                }
            }
            for used in module.uses.iter().filter(|used| used.name == "*") {
                let module = &used.path[..used.path.len() - 1];
                let found = self.resolve(&at, module, depth + 1);
                if let Some((there, _)) = found.filter(|(there, _)| self.defines(there, next)) {
                    return self.walk(there, rest, depth + 1);
                }
            }
            return Some((at, next.clone()));
        }
        self.modules.contains_key(&at).then(|| (at, String::new()))
    }

    fn defines(&self, module: &Name, name: &str) -> bool {
        let module = &self.modules[module];
        let kinds = [
            "fn", "struct", "enum", "type", "trait", "const", "static", "mod", "union",
        ];
        module.uses.iter().any(|used| used.name == name)
            || module
                .tokens
                .windows(2)
                .any(|pair| kinds.contains(&pair[0].as_str()) && pair[1] == name)
    }

    pub(super) fn imports(&self) -> Imports {
        let mut imports = Imports::new();
        for (name, module) in &self.modules {
            let handed_on = |used: &&Use| used.public && !module.words.contains_key(&used.name);
            let used = module.uses.iter().filter(|used| !handed_on(used));
            let written = paths_in(&module.tokens);
            let paths = used.map(|used| used.path.clone()).chain(written);
            let from = imports.entry(module.file.clone()).or_default();
            for path in paths {
                let Some((there, item)) = self.resolve(name, &path, 0) else {
                    continue;
                };
                // A path to a module alone is counted where it continues.
                if !name.starts_with(&there) && !item.is_empty() {
                    let file = self.modules[&there].file.clone();
                    from.entry(file).or_default().insert(item);
                }
            }
        }
        imports
    }
}

/// The paths written outside of `use`.
fn paths_in(tokens: &[String]) -> Vec<Name> {
    let mut paths = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let mut path = Name::new();
        if is_word(&tokens[at]) && (at == 0 || tokens[at - 1] != ".") {
            path.push(tokens[at].clone());
            while tokens.get(at + 1).is_some_and(|token| token == "::")
                && tokens.get(at + 2).is_some_and(|token| is_word(token))
            {
                path.push(tokens[at + 2].clone());
                at += 2;
            }
        }
        if path.len() > 1 {
            paths.push(path);
        }
        at += 1;
    }
    paths
}
