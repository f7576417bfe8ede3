//! The Rust face decides what the JSON face decides, over the same objects.

mod changes;
mod conversions;
mod equal;
mod errors;
mod noise;
mod requests;
mod routes;
mod session;
mod stepwise;
mod writes;
