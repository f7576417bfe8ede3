//! A world for a controller to work in, as values: no I/O, no clock, nothing random.

pub mod api_server;
