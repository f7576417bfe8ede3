//! Tests of the whole: what the reference decided, properties of random clusters, bad input, and the shape of the
//! sources.

#[cfg(test)]
mod suite;

#[cfg(test)]
use slicewise::*;
