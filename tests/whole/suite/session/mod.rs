//! A session makes the same plans as a new request over the same objects, byte for byte, whatever has happened.

mod api;
pub(super) mod events;
mod history;
mod lists;
pub(super) mod objects;
mod pieces;
mod world;

use world::World;

#[test]
fn a_session_plans_what_a_fresh_request_would() {
    let mut settled = 0;
    for seed in 0..60 {
        let mut world = World::new(seed);
        for _ in 0..6 {
            world.change_node();
            world.change_service();
        }
        for _ in 0..200 {
            world.step();
            settled += world.session.settled_slices();
        }
        world.clear();
        assert!(
            world.session.is_empty(),
            "something is left with seed {seed}"
        );
    }
    assert!(
        settled > 10_000,
        "{settled}: next to nothing was settled, so that nothing was proved"
    );
}
