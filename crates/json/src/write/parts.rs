//! Lists and objects, which are written item by item.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

use super::{Place, Unwritable, Writer, Written};

/// Lists of every kind; the list of a variant also closes the object around it.
macro_rules! lists {
    ($($List:ident::$method:ident $($end:literal)*;)*) => {$(
        impl $List for &mut Writer<'_> {
            type Ok = ();
            type Error = Unwritable;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
                self.buffer.separate();
                value.serialize(&mut **self)
            }

            #[inline]
            fn end(self) -> Written {
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

impl SerializeMap for &mut Writer<'_> {
    type Ok = ();
    type Error = Unwritable;

    // So that a known key is copied right here.
    #[cfg_attr(not(target_arch = "wasm32"), inline(always))]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written {
        let start = self.buffer.at();
        self.place = Place::Key;
        key.serialize(&mut **self)?;
        self.place = Place::Value;
        // No value ends like this.
        if self.buffer.last() == Some(b':') {
            return Ok(());
        }
        self.rewrite_key(start)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        value.serialize(&mut **self)
    }

    #[inline]
    fn end(self) -> Written {
        self.buffer.close(b'}');
        Ok(())
    }
}

impl SerializeStruct for &mut Writer<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        // Text that is written unchanged has only this one field.
        if self.place != Place::Raw {
            self.buffer.name(key);
        }
        value.serialize(&mut **self)
    }

    #[inline]
    fn end(self) -> Written {
        if self.place == Place::Raw {
            self.place = Place::Value;
        } else {
            self.buffer.close(b'}');
        }
        Ok(())
    }
}

impl SerializeStructVariant for &mut Writer<'_> {
    type Ok = ();
    type Error = Unwritable;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Written {
        SerializeStruct::serialize_field(self, key, value)
    }

    #[inline]
    fn end(self) -> Written {
        self.buffer.close(b'}');
        self.buffer.close(b'}');
        Ok(())
    }
}
