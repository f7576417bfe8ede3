//! Named formats: `format.NAME().validate(text)` (`k8s.io/apiserver/pkg/cel/library`).

use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;

use super::urls;
use super::value::Value;
use slicewise::model::dns::{is_label, is_label_value, is_qualified_name, is_subdomain};
use slicewise::model::time::Timestamp;

macro_rules! formats {
    ($( $Format:ident $name:literal: $text:ident $is:expr, $what:literal; )*) => {
        /// A format that a text may have.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum NamedFormat {
            $(
                #[doc = $what]
                $Format,
            )*
        }

        impl NamedFormat {
            pub(super) fn named(name: &str) -> Option<Self> {
                match name {
                    $( $name => Some(Self::$Format), )*
                    _ => None,
                }
            }

            fn holds(self, text: &str) -> bool {
                match self {
                    $( Self::$Format => { let $text = text; $is } )*
                }
            }

            const fn what(self) -> &'static str {
                match self {
                    $( Self::$Format => $what, )*
                }
            }
        }
    };
}

formats! {
    Dns1123Label "dns1123Label": text is_label(text), "a DNS label (RFC 1123)";
    Dns1123Subdomain "dns1123Subdomain": text is_subdomain(text), "a DNS subdomain (RFC 1123)";
    Dns1035Label "dns1035Label": text is_label(text) && starts_with_letter(text), "a DNS label (RFC 1035)";
    QualifiedName "qualifiedName": text is_qualified_name(text), "a qualified name";
    Dns1123LabelPrefix "dns1123LabelPrefix": text is_label(&completed(text)), "the beginning of a DNS label (RFC 1123)";
    Dns1123SubdomainPrefix "dns1123SubdomainPrefix": text is_subdomain(&completed(text)), "the beginning of a DNS subdomain (RFC 1123)";
    Dns1035LabelPrefix "dns1035LabelPrefix": text is_label(&completed(text)) && starts_with_letter(&completed(text)), "the beginning of a DNS label (RFC 1035)";
    LabelValue "labelValue": text text.is_empty() || is_label_value(text), "a label value";
    Uri "uri": text urls::is_url(text), "a URI";
    Uuid "uuid": text is_uuid(text), "a UUID";
    Byte "byte": text is_base64(text), "base64";
    Date "date": text text.len() == 10 && is_time(&format!("{text}T00:00:00Z")), "a date";
    Datetime "datetime": text is_time(&text.to_ascii_uppercase()), "a date with a time (RFC 3339)";
}

impl NamedFormat {
    /// The mistakes of a text; none if it has the format.
    pub(super) fn validate<'v>(self, text: &str) -> Value<'v> {
        Value::Optional((!self.holds(text)).then(|| {
            let mistake = Value::owned(format!("must be {}", self.what()));
            Rc::new(Value::list([mistake]))
        }))
    }
}

fn starts_with_letter(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_lowercase())
}

/// What the reference checks of a prefix: in place of a last `-` and the character before it there is a letter.
fn completed(text: &str) -> String {
    let start = text
        .strip_suffix('-')
        .map(|start| start.strip_suffix(|_| true));
    match start.flatten() {
        Some(start) => format!("{start}a"),
        None => text.into(),
    }
}

fn is_uuid(text: &str) -> bool {
    let mut rest = text;
    for length in [8, 4, 4, 4, 12] {
        let Some((part, after)) = rest.split_at_checked(length) else {
            return false;
        };
        if !part.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return false;
        }
        rest = after.strip_prefix('-').unwrap_or(after);
    }
    rest.is_empty() && !text.ends_with('-')
}

fn is_base64(text: &str) -> bool {
    let digits = text
        .strip_suffix("==")
        .or_else(|| text.strip_suffix('='))
        .unwrap_or(text);
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    !text.is_empty() && text.len().is_multiple_of(4) && digits.bytes().all(is_digit)
}

fn is_time(text: &str) -> bool {
    Timestamp::parse(text).is_some()
}
