//! Which of several controllers handles a Service: exactly one, determined by its name without any coordination.

use std::fmt::{self, Display};
use std::str::FromStr;

/// A shard of all Services.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u32,
    count: u32,
}

impl Shard {
    /// Whether a Service belongs to this shard.
    pub fn owns(self, namespace: &str, name: &str) -> bool {
        self.is_whole() || hash(namespace, name) % u64::from(self.count) == u64::from(self.index)
    }

    /// Whether it is the only shard.
    pub const fn is_whole(self) -> bool {
        self.count == 1
    }

    /// Its index, from 0.
    pub const fn index(self) -> u32 {
        self.index
    }

    /// The number of shards.
    pub const fn count(self) -> u32 {
        self.count
    }
}

/// 64-bit FNV-1a of `namespace/name`: small, well distributed over names, and the same in every version of the command,
/// since instances running at the same time must agree.
fn hash(namespace: &str, name: &str) -> u64 {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;
    let bytes = namespace.bytes().chain([b'/']).chain(name.bytes());
    bytes.fold(OFFSET, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(PRIME)
    })
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const MOST: u32 = 1000;
        let parts = text.split_once('/');
        let numbers =
            parts.and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((index, count)) if index < count && count <= MOST => Ok(Self { index, count }),
            _ => Err(format!(
                "write it like `0/2` and `1/2`: a number from 0, and the number of shards, at most {MOST}"
            )),
        }
    }
}

impl Display for Shard {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.index, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let read = text.parse().map(|shard: Shard| shard.to_string());
        assert_eq!(read.ok().as_deref(), expected);
    }

    #[test]
    fn a_shard_is_a_number_of_several() {
        check("0/1", Some("0/1"));
        check("2/3", Some("2/3"));
        for wrong in ["3/3", "0/0", "1", "a/b", "-1/2", "0/1001", ""] {
            check(wrong, None);
        }
    }

    /// Computed by an independent implementation; with a different hash, two versions would disagree.
    #[test]
    fn the_hash_never_changes() {
        assert_eq!(hash("", ""), 0xaf63_a24c_8601_89fe);
        assert_eq!(hash("shop", "cart"), 0xfc10_3f47_fef0_4eb8);
    }

    #[test]
    fn each_service_is_in_one_shard_and_shards_are_alike_in_size() {
        const COUNT: u32 = 7;
        let shards: Vec<Shard> = (0..COUNT)
            .map(|index| Shard {
                index,
                count: COUNT,
            })
            .collect();
        let mut sizes = [0_u32; COUNT as usize];
        for number in 0..7_000 {
            let name = format!("service-{number}");
            let owners = shards.iter().filter(|shard| shard.owns("shop", &name));
            let owners: Vec<_> = owners.map(|shard| shard.index()).collect();
            assert_eq!(owners.len(), 1, "{name} is in {owners:?}");
            sizes[owners[0] as usize] += 1;
        }
        assert!(
            sizes.iter().all(|size| (900..1100).contains(size)),
            "{sizes:?}"
        );
    }
}
