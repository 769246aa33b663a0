//! Net files.
//!
//! All numbers are little-endian.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `AGON NET` |
//! | 4 | the version: 1, 2 for a network that sees points, 3 for rows of 8 bits, 4 for these and several images |
//! | 4 each | features, hidden numbers of one half, stages |
//! | 4 each | what stands for 1.0 in the hidden layer and among the output's weights; the scale |
//! | 4 | in version 4: the images of a board, each with a part of the hidden layer; what follows is that of one part |
//! | 4 + n | the name of the features, in UTF-8 after its length |
//! | 4 + n | the provenance, likewise |
//! | 2 each | rows of the features (1 each from version 3 on), hidden biases, output weights of each stage |
//! | 4 each | output biases |
//! | 4 | in version 2: the features of points |
//! | 2 each | in version 2: their rows, the bias of points, for each stage the weights of the pool, then its biases |
//! | 32 | SHA-256 of all that comes before |

use agon_game::hash::hex;
use sha2::{Digest, Sha256};

use super::features::Features;
use super::network::{Network, NetworkShape, NetworkWeights, PoolWeights, ShapeError};
use super::simd::LANES;

const MAGIC: &[u8; 8] = b"AGON NET";
/// Versions: without points, with points, with rows of 8 bits, and with several images.
const PLAIN: u32 = 1;
const POINTS: u32 = 2;
const NARROW: u32 = 3;
const IMAGES: u32 = 4;
const HASH: usize = 32;

/// Reason why a file is not a valid net file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NetError {
    #[error("no net file: it does not begin with `AGON NET`")]
    Magic,
    #[error("a net file of version {0}; this program reads 1 to 4")]
    Version(u32),
    #[error("a net file of {0} bytes, which is not what its header promises")]
    Length(usize),
    #[error("the net file was damaged: its SHA-256 is not what it says")]
    Hash,
    #[error("a text of the net file is no UTF-8")]
    Text,
    #[error("1.0 is {found} in the hidden layer of the net file; this program computes with {expected}")]
    Precision { found: u32, expected: i16 },
    #[error(transparent)]
    Shape(#[from] ShapeError),
    #[error(
        "a network of the features `{found}` ({found_count} in {found_stages} stages), \
         not of `{expected}` ({expected_count} in {expected_stages})"
    )]
    Features {
        found: String,
        found_count: usize,
        found_stages: usize,
        expected: &'static str,
        expected_count: usize,
        expected_stages: usize,
    },
}

/// Takes numbers off the front of a file.
struct Reader<'a> {
    rest: &'a [u8],
    length: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, bytes: usize) -> Result<&'a [u8], NetError> {
        let (taken, rest) = self.rest.split_at_checked(bytes).ok_or(NetError::Length(self.length))?;
        self.rest = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, NetError> {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(self.take(4)?);
        Ok(u32::from_le_bytes(bytes))
    }

    fn text(&mut self) -> Result<String, NetError> {
        let length = self.number()? as usize;
        String::from_utf8(self.take(length)?.to_vec()).map_err(|_| NetError::Text)
    }

    fn words(&mut self, count: usize) -> Result<Vec<i16>, NetError> {
        let bytes = self.take(count.checked_mul(2).ok_or(NetError::Length(self.length))?)?;
        Ok(bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
    }
}

impl Network {
    /// Reads a net file.
    ///
    /// # Errors
    /// [`NetError`] when it is not one, or has been changed since it was written.
    pub fn read(file: &[u8]) -> Result<Self, NetError> {
        let mut reader = Reader { rest: file, length: file.len() };
        if reader.take(MAGIC.len()) != Ok(MAGIC) {
            return Err(NetError::Magic);
        }
        let version = reader.number()?;
        if !(PLAIN..=IMAGES).contains(&version) {
            return Err(NetError::Version(version));
        }
        let (count, hidden, stages) = (reader.number()?, reader.number()?, reader.number()?);
        let (one, weight_one) = (reader.number()?, reader.number()?);
        let narrow = version >= NARROW;
        let scale = reader.number()? as i32;
        let images = if version == IMAGES { reader.number()? as usize } else { 1 };
        let features = reader.text()?;
        let (count, hidden, stages) = (count as usize, hidden as usize, stages as usize);
        let mut shape = NetworkShape { features, count, hidden, images, stages, points: 0, narrow };
        if one != shape.one() as u32 {
            return Err(NetError::Precision { found: one, expected: shape.one() });
        }
        shape.check()?;
        let provenance = reader.text()?;
        let part = shape.part();
        let mut weights = NetworkWeights {
            rows: if narrow {
                let bytes = reader.take(shape.count * part)?;
                bytes.iter().map(|&byte| i16::from(byte as i8)).collect()
            } else {
                reader.words(shape.count * part)?
            },
            bias: reader.words(part)?,
            weight_one: weight_one as i32,
            outputs: reader.words(2 * part * shape.stages)?,
            output_bias: (0..shape.stages)
                .map(|_| reader.number().map(|number| number as i32))
                .collect::<Result<_, _>>()?,
            pool: PoolWeights::default(),
            scale,
        };
        if version == POINTS {
            shape.points = reader.number()? as usize;
            shape.check()?;
            weights.pool = PoolWeights {
                rows: reader.words(shape.points * LANES)?,
                bias: reader.words(LANES)?,
                dense: reader.words(stages * LANES * 2 * hidden)?,
                dense_bias: reader.words(stages * 2 * hidden)?,
            };
        }
        if reader.rest.len() != HASH {
            return Err(NetError::Length(file.len()));
        }
        if reader.rest != Sha256::digest(&file[..file.len() - HASH]).as_slice() {
            return Err(NetError::Hash);
        }
        Ok(Self::new(shape, &weights, provenance)?)
    }

    /// Writes a net file; the same network gives the same bytes.
    pub fn write(&self) -> Vec<u8> {
        let shape = self.shape();
        let mut file = MAGIC.to_vec();
        let numbers = [
            if shape.images > 1 {
                IMAGES
            } else if shape.narrow {
                NARROW
            } else if self.sees_points() {
                POINTS
            } else {
                PLAIN
            },
            shape.count as u32,
            shape.hidden as u32,
            shape.stages as u32,
            shape.one() as u32,
            self.weight_one as u32,
            self.scale as u32,
        ];
        file.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        if shape.images > 1 {
            file.extend((shape.images as u32).to_le_bytes());
        }
        for text in [&shape.features, &self.provenance] {
            file.extend((text.len() as u32).to_le_bytes());
            file.extend(text.bytes());
        }
        let weights = self.weights();
        if shape.narrow {
            file.extend(weights.rows.into_iter().map(|weight| weight as i8 as u8));
        } else {
            file.extend(weights.rows.into_iter().flat_map(i16::to_le_bytes));
        }
        for numbers in [weights.bias, weights.outputs] {
            file.extend(numbers.into_iter().flat_map(i16::to_le_bytes));
        }
        file.extend(weights.output_bias.into_iter().flat_map(i32::to_le_bytes));
        if self.sees_points() {
            file.extend((shape.points as u32).to_le_bytes());
            let PoolWeights { rows, bias, dense, dense_bias } = weights.pool;
            file.extend([rows, bias, dense, dense_bias].into_iter().flatten().flat_map(i16::to_le_bytes));
        }
        let hash = Sha256::digest(&file);
        file.extend(hash);
        file
    }

    /// Checks that it looks at these features; the game's features of points it may see or not.
    ///
    /// # Errors
    /// [`NetError::Features`] when it looks at something else.
    pub fn check_features<P, F: Features<P>>(&self) -> Result<(), NetError> {
        let NetworkShape { features, count, images, stages, points, narrow, .. } = self.shape();
        let kind_fits =
            [0, F::POINTS].contains(points) && [1, F::SYMMETRIES].contains(images) && (F::NARROW || !narrow);
        if kind_fits && (features.as_str(), *count, *stages) == (F::NAME, F::COUNT, F::STAGES) {
            return Ok(());
        }
        Err(NetError::Features {
            found: features.clone(),
            found_count: *count,
            found_stages: *stages,
            expected: F::NAME,
            expected_count: F::COUNT,
            expected_stages: F::STAGES,
        })
    }

    /// Returns the SHA-256 at the end of its file in hexadecimal, which identifies the network exactly.
    pub fn hash(&self) -> String {
        let file = self.write();
        hex(&file[file.len() - HASH..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(points: usize, images: usize, narrow: bool) -> Network {
        let shape = NetworkShape {
            features: "test 1".to_owned(),
            count: 5,
            hidden: 32 * images,
            images,
            stages: 3,
            points,
            narrow,
        };
        let number = |i: usize| ((i * 37 + 11) % 100) as i16 - 50;
        let pools = usize::from(points > 0);
        let weights = NetworkWeights {
            rows: (0..5 * 32).map(number).collect(),
            bias: (0..32).map(number).collect(),
            weight_one: 64,
            outputs: (0..2 * 32 * 3).map(number).collect(),
            output_bias: vec![1_000, -70_000, 0],
            pool: PoolWeights {
                rows: (0..points * 32).map(number).collect(),
                bias: (0..pools * 32).map(number).collect(),
                dense: (0..pools * 3 * 32 * 64).map(number).collect(),
                dense_bias: (0..pools * 3 * 64).map(number).collect(),
            },
            scale: 400,
        };
        Network::new(shape, &weights, "made up\nfor a test".to_owned()).unwrap()
    }

    #[test]
    fn files_read_back() {
        for (version, points, images, narrow) in [(1, 0, 1, false), (2, 7, 1, false), (3, 0, 1, true), (4, 0, 8, true)]
        {
            let network = network(points, images, narrow);
            let file = network.write();
            assert_eq!(file[8], version);
            assert_eq!(Network::read(&file), Ok(network.clone()));
            let again = Network::new(network.shape().clone(), &network.weights(), network.provenance().to_owned());
            assert_eq!(again, Ok(network.clone()));
            assert_eq!(network.hash().len(), 64);
        }
    }

    /// Checks the error of reading the file after `change`.
    #[track_caller]
    fn check(change: impl Fn(&mut Vec<u8>), expected: &NetError) {
        let mut file = network(0, 1, false).write();
        change(&mut file);
        assert_eq!(Network::read(&file).as_ref(), Err(expected));
    }

    #[test]
    fn what_is_no_net_file_is_refused() {
        let length = network(0, 1, false).write().len();
        check(Vec::clear, &NetError::Magic);
        check(|file| file[3] = b'x', &NetError::Magic);
        check(|file| file[8] = 5, &NetError::Version(5));
        check(|file| file[8] = 3, &NetError::Precision { found: 255, expected: 127 });
        check(|file| file[16] = 31, &ShapeError::Hidden(31).into());
        check(|file| file[19] = 0x40, &ShapeError::Hidden(0x4000_0020).into());
        check(|file| file[20] = 0, &ShapeError::Stages(0).into());
        check(|file| file[24] = 254, &NetError::Precision { found: 254, expected: 255 });
        check(|file| file.truncate(length - 1), &NetError::Length(length - 1));
        check(|file| file.push(0), &NetError::Length(length + 1));
        check(|file| file[100] ^= 1, &NetError::Hash);
        check(|file| file[40] = 0xff, &NetError::Text);
    }

    #[test]
    fn no_prefix_of_a_file_is_a_file() {
        for (points, images, narrow) in [(0, 1, false), (7, 1, false), (0, 1, true), (0, 8, true)] {
            let file = network(points, images, narrow).write();
            for length in 0..file.len() {
                assert!(Network::read(&file[..length]).is_err(), "{length} bytes");
            }
        }
    }
}
