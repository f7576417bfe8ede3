//! The Rust interface makes the same decisions as the JSON interface, over the same objects.

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
