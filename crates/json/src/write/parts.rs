//! Lists and objects, which are written item by item.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

use super::{NextText, Unwritable, ValueWriter, WriteResult};

/// Lists of every kind; the list of a variant also closes the object around it.
macro_rules! lists {
    ($($List:ident::$method:ident $($end:literal)*;)*) => {$(
        impl $List for &mut ValueWriter<'_> {
            type Ok = ();
            type Error = Unwritable;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> WriteResult {
                self.buffer.separate();
                value.serialize(&mut **self)
            }

            #[inline]
            fn end(self) -> WriteResult {
                $(self.buffer.close($end);)*
                Ok(())
            }
        }
    )*};
}

lists! {
    SerializeSeq::serialize_element b']';
    SerializeTuple::serialize_element b']';
    SerializeTupleStruct::serialize_field b']';
    SerializeTupleVariant::serialize_field b']' b'}';
}

impl SerializeMap for &mut ValueWriter<'_> {
    type Ok = ();
    type Error = Unwritable;

    // So that a known key is copied right here.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> WriteResult {
        let start = self.buffer.at();
        self.place = NextText::Key;
        key.serialize(&mut **self)?;
        self.place = NextText::Value;
        // No value ends like this.
        if self.buffer.last() == Some(b':') {
            return Ok(());
        }
        self.rewrite_key(start)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> WriteResult {
        value.serialize(&mut **self)
    }

    #[inline]
    fn end(self) -> WriteResult {
        self.buffer.close(b'}');
        Ok(())
    }
}

impl SerializeStruct for &mut ValueWriter<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> WriteResult {
        // Text that is written unchanged has only this one field.
        if self.place != NextText::Raw {
            self.buffer.name(key);
        }
        value.serialize(&mut **self)
    }

    #[inline]
    fn end(self) -> WriteResult {
        if self.place == NextText::Raw {
            self.place = NextText::Value;
        } else {
            self.buffer.close(b'}');
        }
        Ok(())
    }
}

impl SerializeStructVariant for &mut ValueWriter<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        key: &'static str,
        value: &T,
    ) -> WriteResult {
        SerializeStruct::serialize_field(self, key, value)
    }

    #[inline]
    fn end(self) -> WriteResult {
        self.buffer.close(b'}');
        self.buffer.close(b'}');
        Ok(())
    }
}
