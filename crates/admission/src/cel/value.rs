//! Values of the language, either read from JSON or created by expressions.

use alloc::borrow::Cow;
use alloc::format;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::net::IpAddr;
use core::ops::Deref;

use super::formats::NamedFormat;
use super::meter::{Fail, Meter};
use super::names::ValueKind;
use super::quantities::CelQuantity;
use super::times::Instant;
use slicewise::model::Cidr;
use slicewise::model::order::sort_by;
use slicewise_json::{Class, JsonContainer, MAX_DEPTH, Numeral, Reader, Stop};

/// A value. Copies share large contents.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names are those of the language")]
#[non_exhaustive]
pub enum Value<'v> {
    Null,
    Bool(bool),
    Int(i64),
    Uint(u64),
    Double(f64),
    String(Str<'v>),
    List(Rc<Vec<Self>>),
    Map(Rc<Map<'v>>),
    Type(ValueKind),
    Optional(Option<Rc<Self>>),
    Ip(IpAddr),
    /// An address in it, and the range.
    Cidr(IpAddr, Cidr),
    Timestamp(Instant),
    /// In nanoseconds.
    Duration(i64),
    Quantity(CelQuantity),
    Url(Str<'v>),
    Format(NamedFormat),
}

/// Text, from the input or created.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names say it")]
#[non_exhaustive]
pub enum Str<'v> {
    Borrowed(&'v str),
    Owned(Rc<str>),
}

impl Deref for Str<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Owned(text) => text,
        }
    }
}

impl<'v> From<Cow<'v, str>> for Str<'v> {
    fn from(text: Cow<'v, str>) -> Self {
        match text {
            Cow::Borrowed(text) => Self::Borrowed(text),
            Cow::Owned(text) => Self::Owned(text.into()),
        }
    }
}

/// A key of a map.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "the names are those of the language")]
#[non_exhaustive]
pub enum MapKey<'v> {
    Bool(bool),
    Int(i64),
    Uint(u64),
    String(Str<'v>),
}

impl<'v> MapKey<'v> {
    /// The key as a value.
    pub fn value(&self) -> Value<'v> {
        match self {
            Self::Bool(key) => Value::Bool(*key),
            Self::Int(key) => Value::Int(*key),
            Self::Uint(key) => Value::Uint(*key),
            Self::String(key) => Value::String(key.clone()),
        }
    }

    fn rank(&self) -> (u8, i128, &str) {
        match self {
            Self::Bool(key) => (0, (*key).into(), ""),
            Self::Int(key) => (1, (*key).into(), ""),
            Self::Uint(key) => (1, (*key).into(), ""),
            Self::String(key) => (2, 0, key),
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

/// A map, sorted by key, so that nothing depends on how it was created.
#[derive(Clone, Debug, Default)]
pub struct Map<'v>(Vec<(MapKey<'v>, Value<'v>)>);

impl<'v> Map<'v> {
    /// A map of entries in any order; `None` if a key occurs twice.
    pub fn new(mut entries: Vec<(MapKey<'v>, Value<'v>)>) -> Option<Self> {
        sort_by(&mut entries, |one, other| one.0.compare(&other.0));
        let others = entries.iter().skip(1);
        let is_repeated = entries
            .iter()
            .zip(others)
            .any(|(one, other)| one.0.compare(&other.0) == Ordering::Equal);
        (!is_repeated).then_some(Self(entries))
    }

    /// The value for a key.
    pub fn get(&self, key: &MapKey<'_>) -> Option<&Value<'v>> {
        let place = self.0.binary_search_by(|entry| entry.0.compare(key));
        Some(&self.0.get(place.ok()?)?.1)
    }

    /// The value for a text key.
    pub fn field(&self, name: &str) -> Option<&Value<'v>> {
        self.get(&MapKey::String(Str::Borrowed(name)))
    }

    /// Keys and values, sorted by key.
    pub fn entries(&self) -> &[(MapKey<'v>, Value<'v>)] {
        &self.0
    }
}

impl<'v> Value<'v> {
    /// Text from the input.
    pub const fn text(text: &'v str) -> Self {
        Self::String(Str::Borrowed(text))
    }

    /// Text that was created.
    pub fn owned(text: String) -> Self {
        Self::String(Str::Owned(text.into()))
    }

    /// A count.
    pub fn count(count: usize) -> Self {
        Self::Int(i64::try_from(count).unwrap_or(i64::MAX))
    }

    /// A list.
    pub fn list(items: impl IntoIterator<Item = Self>) -> Self {
        Self::List(Rc::new(items.into_iter().collect()))
    }

    /// An object with these fields, each given once.
    pub fn object<const N: usize>(fields: [(&'v str, Self); N]) -> Self {
        let fields = fields.map(|(name, value)| (MapKey::String(Str::Borrowed(name)), value));
        Self::Map(Rc::new(Map::new(fields.into()).unwrap_or_default()))
    }

    /// Its kind.
    pub const fn kind(&self) -> ValueKind {
        match self {
            Self::Null => ValueKind::Null,
            Self::Bool(_) => ValueKind::Bool,
            Self::Int(_) => ValueKind::Int,
            Self::Uint(_) => ValueKind::Uint,
            Self::Double(_) => ValueKind::Double,
            Self::String(_) => ValueKind::String,
            Self::List(_) => ValueKind::List,
            Self::Map(_) => ValueKind::Map,
            Self::Type(_) => ValueKind::Type,
            Self::Optional(_) => ValueKind::Optional,
            Self::Ip(_) => ValueKind::Ip,
            Self::Cidr(..) => ValueKind::Cidr,
            Self::Timestamp(_) => ValueKind::Timestamp,
            Self::Duration(_) => ValueKind::Duration,
            Self::Quantity(_) => ValueKind::Quantity,
            Self::Url(_) => ValueKind::Url,
            Self::Format(_) => ValueKind::Format,
        }
    }

    /// The value as a key, if it can be one.
    pub fn key(&self) -> Option<MapKey<'v>> {
        Some(match self {
            Self::Bool(key) => MapKey::Bool(*key),
            Self::Int(key) => MapKey::Int(*key),
            Self::Uint(key) => MapKey::Uint(*key),
            Self::Double(key) => MapKey::Int(whole(*key)?),
            Self::String(key) => MapKey::String(key.clone()),
            _ => return None,
        })
    }

    /// Reads JSON that is known to be well-formed and without duplicate keys. Integers are `int` if they fit, all other
    /// numbers `double`, as in Kubernetes.
    ///
    /// # Errors
    /// When it exceeds the limit of steps, of which each value costs one, or has more than [`MAX_DEPTH`] levels.
    pub fn of_json(json: &'v str, meter: &mut Meter) -> Result<Self, Fail> {
        paying(json, meter, |reader, pay| read(reader, &[], pay))
    }

    /// Reads a member of a JSON object; `null` if it does not exist. The fields in `skipped` are left out.
    ///
    /// # Errors
    /// Same as [`Value::of_json`].
    pub fn of_member(
        json: &'v str,
        name: &str,
        skipped: &[&str],
        meter: &mut Meter,
    ) -> Result<Self, Fail> {
        paying(json, meter, |reader, pay| {
            if reader.peek_token() != Some(b'{') {
                return Err(Stop);
            }
            reader.open()?;
            let mut is_first = true;
            while reader.next_in(JsonContainer::Object, is_first)? {
                let key = reader.key(is_first)?;
                reader.colon()?;
                is_first = false;
                if key == name {
                    return read(reader, skipped, pay);
                }
                reader.raw(None)?;
            }
            Ok(Value::Null)
        })
    }
}

type Pay<'p> = &'p mut dyn FnMut(usize) -> bool;

fn paying<'v>(
    json: &'v str,
    meter: &mut Meter,
    read: impl FnOnce(&mut Reader<'v>, Pay<'_>) -> Result<Value<'v>, Stop>,
) -> Result<Value<'v>, Fail> {
    let mut reader = Reader::new(json);
    let mut paid = Ok(());
    let read = read(&mut reader, &mut |steps| {
        paid = meter.pay(steps);
        paid.is_ok()
    });
    paid?;
    read.map_err(|Stop| match reader.into_fault().class {
        Class::Depth => Fail::error(format!(
            "the object is nested deeper than {MAX_DEPTH} levels, which expressions cannot read"
        )),
        _ => Fail::error("the object is not JSON"),
    })
}

/// A double that is an integer.
pub(super) fn whole(number: f64) -> Option<i64> {
    // Beyond this, neighbouring integers cannot be told apart.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let whole = number as i64;
    (number.abs() <= EXACT && whole as f64 == number).then_some(whole)
}

fn read<'v>(reader: &mut Reader<'v>, skipped: &[&str], pay: Pay<'_>) -> Result<Value<'v>, Stop> {
    if !pay(1) {
        return Err(Stop);
    }
    Ok(match reader.peek_token() {
        Some(b'{') => {
            reader.open()?;
            let mut entries = Vec::new();
            let mut is_first = true;
            while reader.next_in(JsonContainer::Object, is_first)? {
                let key = reader.key(is_first)?;
                reader.colon()?;
                is_first = false;
                if skipped.contains(&&*key) {
                    reader.raw(None)?;
                } else {
                    entries.push((MapKey::String(key.into()), read(reader, &[], pay)?));
                }
            }
            Value::Map(Rc::new(Map::new(entries).ok_or(Stop)?))
        }
        Some(b'[') => {
            reader.open()?;
            let mut items = Vec::new();
            let mut is_first = true;
            while reader.next_in(JsonContainer::Array, is_first)? {
                items.push(read(reader, &[], pay)?);
                is_first = false;
            }
            Value::List(Rc::new(items))
        }
        Some(b'"') => Value::String(reader.string()?.into()),
        Some(b't') => reader.word("true").map(|()| Value::Bool(true))?,
        Some(b'f') => reader.word("false").map(|()| Value::Bool(false))?,
        Some(b'n') => reader.word("null").map(|()| Value::Null)?,
        _ => number(reader)?,
    })
}

fn number<'v>(reader: &mut Reader<'v>) -> Result<Value<'v>, Stop> {
    let start = reader.at();
    let numeral = reader.numeral()?;
    let as_double = |reader: &Reader<'_>| {
        let number = reader.float(start).and_then(|number| number.as_f64());
        number.map(Value::Double).ok_or(Stop)
    };
    match numeral {
        Numeral::Unsigned(number) => match i64::try_from(number) {
            Ok(number) => Ok(Value::Int(number)),
            Err(_) => as_double(reader),
        },
        Numeral::Signed(number) => Ok(Value::Int(number)),
        Numeral::Float => as_double(reader),
    }
}
