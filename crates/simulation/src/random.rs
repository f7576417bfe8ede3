//! Pseudorandom numbers that only depend on the seed, on every platform.

/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u32) -> Self {
        Self(seed.into())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if that is 0. The bias for ranges that are not a power of two is less than one in a
    /// billion for everything that is simulated.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        if end == 0 {
            return 0;
        }
        let wide = u128::from(self.next()) * u128::from(end);
        (wide >> 64) as u64
    }

    /// Does something with this probability, in millionths, happen? Draws no number if the probability is zero.
    pub(super) fn happens(&mut self, per_million: u32) -> bool {
        per_million > 0 && self.below(1_000_000) < per_million.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_numbers() {
        let mut random = Random(1_234_567);
        let numbers = [random.next(), random.next(), random.next()];
        assert_eq!(
            numbers,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423
            ]
        );
    }

    #[test]
    fn shares_are_met() {
        let mut random = Random::new(7);
        let count = (0..100_000).filter(|_| random.happens(30_000)).count();
        assert!((2_800..3_200).contains(&count), "{count}");
        assert!(!random.happens(0));
        assert!(random.happens(1_000_000));
        assert!((0..1000).all(|_| random.below(3) < 3));
        assert_eq!(random.below(0), 0);
    }
}
