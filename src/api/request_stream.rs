//! A plan request that is read as its bytes arrive. Its long lists are kept item by item; the rest is read at the end.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::objects::{Base, Halt, ObjectWalk};
use super::pieces::{InputPieces, Steps};
use super::plan::with_prepared;
use super::prepared::Prepared;
use super::{input, place};
use crate::Error;
use crate::json::{JsonContainer, UNKNOWN};
use crate::model::own::{Keep as _, Keeper, OffText};
use crate::model::read::{Object, Shaped as _};
use crate::model::{EndpointSlice, Node, Pod};
use crate::plan::Plan;
use crate::plan::request::{Options, PlanRequest};

/// Reads a plan request piece by piece.
pub struct RequestStream<'s, 'k> {
    read: RequestParts<'s, 'k>,
    pieces: InputPieces,
}

/// What has been read of a request.
struct RequestParts<'s, 'k> {
    place: OffText<'s, 'k>,
    /// Only the long lists.
    lists: PlanRequest<'k>,
    /// The text without their items.
    rest: String,
    /// Where its parts begin, in it and in the input.
    parts: Vec<(usize, Base)>,
    /// The fields so far, as bits.
    seen: u32,
    next: Next,
}

/// What is next in a request.
#[derive(Clone, Copy)]
enum Next {
    Start,
    Field { is_first: bool },
    Item { of: List, index: usize },
    End,
}

/// The lists that may be long.
#[derive(Clone, Copy)]
enum List {
    Pods,
    Nodes,
    Slices,
}

impl List {
    fn of(field: &str) -> Option<Self> {
        let mut all = [Self::Pods, Self::Nodes, Self::Slices].into_iter();
        all.find(|list| list.field() == field)
    }

    const fn field(self) -> &'static str {
        match self {
            Self::Pods => "pods",
            Self::Nodes => "nodes",
            Self::Slices => "slices",
        }
    }
}

impl<'s, 'k> RequestStream<'s, 'k> {
    /// A stream that stores its objects with the keeper.
    pub fn new(keeper: &'s dyn Keeper<'k>) -> Self {
        let read = RequestParts {
            place: OffText(keeper),
            lists: PlanRequest::default(),
            rest: String::new(),
            parts: Vec::new(),
            seen: 0,
            next: Next::Start,
        };
        Self {
            read,
            pieces: InputPieces::default(),
        }
    }

    /// Takes the next bytes.
    ///
    /// # Errors
    /// Those of reading the whole request at once, as soon as they can be detected.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.pieces.push(bytes, &mut self.read)
    }

    /// Plans the request like [`with_plan`](super::with_plan), once all bytes have arrived. `check_options` gets its options and
    /// their path.
    ///
    /// # Errors
    /// Same as there, and what `check_options` refuses.
    pub fn with_plan<T>(
        mut self,
        overrides: &Options<'_>,
        check_options: impl FnOnce(&Options<'_>, &str) -> Result<(), Error>,
        then: impl FnOnce(&Plan<'_>, &[EndpointSlice<'_>]) -> T,
    ) -> Result<T, Error> {
        self.pieces.end(&mut self.read)?;
        let RequestParts {
            lists, rest, parts, ..
        } = self.read;
        let with_plan = || {
            let request = PlanRequest {
                pods: lists.pods,
                nodes: lists.nodes,
                slices: lists.slices,
                ..input::decode(&rest)?
            };
            let prepared = Prepared::of(request, &rest, overrides, check_options)?;
            with_prepared(&prepared, &rest, then)
        };
        with_plan().map_err(|error| placed(error, &rest, &parts))
    }
}

/// Moves the position of an error from the rest to the whole input.
#[cold]
fn placed(error: Error, rest: &str, parts: &[(usize, Base)]) -> Error {
    let (Some(line), Some(column)) = (error.line(), error.column()) else {
        return error;
    };
    let lines = rest.split_inclusive('\n').take(line - 1);
    let offset = lines.map(str::len).sum::<usize>() + column - 1;
    let mut before = parts.iter().rev();
    let Some((start, base)) = before.find(|(start, _)| *start <= offset) else {
        return error;
    };
    let part = rest.get(*start..).unwrap_or_default();
    let (line, column) = place::position(part.as_bytes(), offset - start);
    base.placed(error.on(line, column))
}

impl<'k> RequestParts<'_, 'k> {
    fn field(&mut self, walk: &mut ObjectWalk<'_, '_>, is_first: bool) -> Result<Next, Halt> {
        let reader = walk.reader();
        if !reader.next_in(JsonContainer::Object, is_first)? {
            return Ok(Next::End);
        }
        let key = reader.key(is_first)?;
        let shape = const { &PlanRequest::SHAPE };
        let number = shape.field(&key);
        if number == UNKNOWN {
            return Err(reader.unknown(&key, shape.keys).into());
        }
        let bit = 1 << number;
        if self.seen & bit != 0 {
            return Err(reader.duplicate(&key).into());
        }
        reader.colon()?;
        let next = match List::of(&key) {
            Some(of) if reader.peek_token() == Some(b'[') => {
                reader.open()?;
                Next::Item { of, index: 0 }
            }
            _ => {
                reader.skip(None)?;
                Next::Field { is_first: false }
            }
        };
        self.seen |= bit;
        Ok(next)
    }

    fn item(&mut self, walk: &mut ObjectWalk<'_, '_>, of: List) -> Result<(), Halt> {
        match of {
            List::Pods => {
                let pod = read::<Pod<'_>>(walk, 0)?;
                self.lists.pods.push(self.place.keep(pod));
            }
            List::Nodes => {
                let node = read::<Node<'_>>(walk, 1)?;
                self.lists.nodes.push(self.place.keep(node));
            }
            List::Slices => {
                let slice = read::<EndpointSlice<'_>>(walk, 2)?;
                self.lists.slices.push(self.place.keep(slice));
            }
        }
        Ok(())
    }
}

/// Reads an object whose kind has this number.
fn read<'a, T: Object<'a> + Default>(walk: &mut ObjectWalk<'_, 'a>, number: u8) -> Result<T, Halt> {
    let mut object = T::default();
    let reader = walk.reader();
    let node = reader.memory.root(number);
    reader.object(&mut object, Some(node))?;
    Ok(object)
}

impl Steps for RequestParts<'_, '_> {
    fn step<'a>(&mut self, walk: &mut ObjectWalk<'_, 'a>) -> Result<bool, Halt> {
        let start = walk.begin();
        let next = match self.next {
            Next::Start => {
                let what = format!("an object ({})", PlanRequest::SHAPE.what);
                walk.reader().begin_object(&what)?;
                Next::Field { is_first: true }
            }
            Next::Field { is_first } => self.field(walk, is_first)?,
            Next::Item { of, index } => {
                if walk.reader().next_item(index == 0)? {
                    walk.within(of.field(), |walk| {
                        walk.within_item(index, |walk| self.item(walk, of))
                    })?;
                    self.next = Next::Item {
                        of,
                        index: index + 1,
                    };
                    return Ok(true);
                }
                Next::Field { is_first: false }
            }
            Next::End => {
                let reader = walk.reader();
                while reader.pass_divider() {}
                reader.stop_in_divider()?;
                reader.end()?;
                return Ok(false);
            }
        };
        self.parts.push((self.rest.len(), walk.base_at(start)));
        let end = walk.place().0;
        self.rest.push_str(walk.reader().slice(start, end));
        self.next = next;
        Ok(true)
    }
}
