//! Writes values as minified JSON, with the same bytes as `serde_json::to_vec`.
//!
//! Most of a plan is names and addresses: short texts without anything to escape.

mod buffer;
mod parts;

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use serde::ser::{Error, Serialize, Serializer};

use super::raw::TOKEN;
use buffer::Buffer;

/// The initial capacity: most answers are shorter.
const USUAL: usize = 256;

/// The JSON of a value.
///
/// # Errors
/// When a map has a key that is not a text, number or `bool`, or the value fails to serialize.
pub fn to_vec(value: &(impl Serialize + ?Sized)) -> Result<Vec<u8>, Unwritable> {
    to_vec_of(value, USUAL)
}

/// Like [`to_vec`], for a value whose JSON is likely to have that many bytes.
pub fn to_vec_of(value: &(impl Serialize + ?Sized), likely: usize) -> Result<Vec<u8>, Unwritable> {
    let mut output = Vec::with_capacity(likely);
    append(value, &mut output)?;
    Ok(output)
}

/// Like [`to_vec`], but returns text.
pub fn to_string(value: &(impl Serialize + ?Sized)) -> Result<String, Unwritable> {
    String::from_utf8(to_vec(value)?).map_err(|_| Unwritable)
}

/// Appends a value; on error, appends nothing.
pub fn append(value: &(impl Serialize + ?Sized), output: &mut Vec<u8>) -> Result<(), Unwritable> {
    let before = output.len();
    let mut writer = ValueWriter {
        buffer: Buffer::new(output),
        place: NextText::Value,
    };
    let written = value.serialize(&mut writer);
    writer.buffer.end();
    if written.is_err() {
        output.truncate(before);
    }
    written
}

/// A value cannot be represented as JSON. Our own values all can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unwritable;

impl fmt::Display for Unwritable {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("the value has no JSON")
    }
}

impl core::error::Error for Unwritable {}

impl Error for Unwritable {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// Writes consecutive values.
struct ValueWriter<'o> {
    buffer: Buffer<'o>,
    place: NextText,
}

/// What the next text is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NextText {
    /// A value.
    Value,
    /// A key, which gets a comma and a colon.
    Key,
    /// JSON that is written unchanged; see [`super::Raw`].
    Raw,
}

type WriteResult = Result<(), Unwritable>;

impl ValueWriter<'_> {
    #[inline]
    fn literal(&mut self, text: &str) -> WriteResult {
        self.buffer.extend(text.as_bytes());
        Ok(())
    }

    #[inline(never)]
    fn unsigned(&mut self, mut number: u64) -> WriteResult {
        let mut digits = [b'0'; 20];
        let mut start = digits.len();
        for digit in digits.iter_mut().rev() {
            *digit += (number % 10) as u8;
            number /= 10;
            start -= 1;
            if number == 0 {
                break;
            }
        }
        self.buffer.extend(digits.get(start..).unwrap_or_default());
        Ok(())
    }

    #[inline]
    fn signed(&mut self, number: i64) -> WriteResult {
        if number < 0 {
            self.buffer.push(b'-');
        }
        self.unsigned(number.unsigned_abs())
    }

    fn long(&mut self, number: impl fmt::Display) -> WriteResult {
        self.literal(&number.to_string())
    }

    /// Fractions are rare; formatted as by `serde_json`.
    #[inline(never)]
    fn float(&mut self, number: impl Serialize) -> WriteResult {
        let text = serde_json::to_vec(&number).map_err(|_| Unwritable)?;
        self.buffer.extend(&text);
        Ok(())
    }

    /// Begins `{"variant":`.
    #[inline]
    fn variant(&mut self, variant: &str) {
        self.buffer.open(b'{');
        self.buffer.name(variant);
    }

    /// A key that is not a text has been written as a value: quotes numbers and `bool`s.
    #[cold]
    fn rewrite_key(&mut self, start: usize) -> WriteResult {
        let key = self.buffer.take_back(start);
        match (key.first(), str::from_utf8(&key)) {
            (Some(b'-' | b'0'..=b'9' | b't' | b'f'), Ok(key)) => {
                self.buffer.name(key);
                Ok(())
            }
            _ => Err(Unwritable),
        }
    }
}

/// Methods that write a number by way of a wider type.
macro_rules! numbers {
    ($($method:ident($Number:ty) => $write:ident($Wide:ty);)*) => {
        $(#[inline]
        fn $method(self, number: $Number) -> WriteResult {
            self.$write(<$Wide>::from(number))
        })*
    };
}

impl<'w, 'o> Serializer for &'w mut ValueWriter<'o> {
    type Ok = ();
    type Error = Unwritable;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    #[inline]
    fn serialize_bool(self, value: bool) -> WriteResult {
        self.literal(if value { "true" } else { "false" })
    }

    numbers! {
        serialize_i8(i8) => signed(i64);
        serialize_i16(i16) => signed(i64);
        serialize_i32(i32) => signed(i64);
        serialize_i64(i64) => signed(i64);
        serialize_u8(u8) => unsigned(u64);
        serialize_u16(u16) => unsigned(u64);
        serialize_u32(u32) => unsigned(u64);
        serialize_u64(u64) => unsigned(u64);
        serialize_i128(i128) => long(i128);
        serialize_u128(u128) => long(u128);
        serialize_f32(f32) => float(f32);
        serialize_f64(f64) => float(f64);
    }

    #[inline]
    fn serialize_char(self, value: char) -> WriteResult {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> WriteResult {
        match self.place {
            NextText::Value => self.buffer.text(value),
            NextText::Key => {
                self.buffer.name(value);
                self.place = NextText::Value;
            }
            NextText::Raw => self.buffer.extend(value.as_bytes()),
        }
        Ok(())
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> WriteResult {
        self.collect_seq(value)
    }

    #[inline]
    fn serialize_none(self) -> WriteResult {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> WriteResult {
        value.serialize(self)
    }

    #[inline]
    fn serialize_unit(self) -> WriteResult {
        self.literal("null")
    }

    #[inline]
    fn serialize_unit_struct(self, _: &'static str) -> WriteResult {
        self.serialize_unit()
    }

    #[inline]
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> WriteResult {
        self.serialize_str(variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> WriteResult {
        let is_native = cfg!(not(target_arch = "wasm32"));
        if is_native && self.place == NextText::Key && self.buffer.field(name) {
            self.place = NextText::Value;
            return Ok(());
        }
        value.serialize(self)
    }

    #[inline]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> WriteResult {
        self.variant(variant);
        value.serialize(&mut *self)?;
        self.buffer.close(b'}');
        Ok(())
    }

    #[inline]
    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Unwritable> {
        self.buffer.open(b'[');
        Ok(self)
    }

    #[inline]
    fn serialize_tuple(self, length: usize) -> Result<Self, Unwritable> {
        self.serialize_seq(Some(length))
    }

    #[inline]
    fn serialize_tuple_struct(self, _: &'static str, length: usize) -> Result<Self, Unwritable> {
        self.serialize_seq(Some(length))
    }

    #[inline]
    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self, Unwritable> {
        self.variant(variant);
        self.serialize_seq(Some(length))
    }

    #[inline]
    fn serialize_map(self, _: Option<usize>) -> Result<Self, Unwritable> {
        self.buffer.open(b'{');
        Ok(self)
    }

    #[inline]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Self, Unwritable> {
        if name == TOKEN {
            self.place = NextText::Raw;
        } else {
            self.buffer.open(b'{');
        }
        Ok(self)
    }

    #[inline]
    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self, Unwritable> {
        self.variant(variant);
        self.serialize_map(Some(length))
    }

    #[inline]
    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> WriteResult {
        self.serialize_str(&value.to_string())
    }
}

#[cfg(test)]
mod tests;
