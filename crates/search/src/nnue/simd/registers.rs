//! The loops of all instruction sets, which differ only in the width of the registers.

/// The sums of rows, at most `$max` lines at a time, in registers, `$per_line` to a [`Vector`]: once for each
/// set of intrinsics and kind of rows. `$load_row` loads as many numbers of a row as a register holds.
macro_rules! sums {
    (
        $sums:ident, $tile:ident, $features:literal, $register:ty, $per_line:literal, $max:literal, $row:ty,
        $load_row:expr, $load:ident, $store:ident, $add:ident, $sub:ident
    ) => {
        /// # Safety
        /// The processor must have the features, and `base` must be as long as `sum`.
        #[target_feature(enable = $features)]
        pub(crate) unsafe fn $sums(sum: &mut [Vector], base: &[Vector], rows: &[$row], gained: &[u32], lost: &[u32]) {
            let mut first = 0;
            // As many lines at once as leave room for the rows; each pass walks over all lists. SAFETY: each tile lies
            // within `sum`, and the rest is passed on.
            unsafe {
                while first + $max <= sum.len() {
                    $tile::<{ $max * $per_line }>(sum, base, rows, gained, lost, first);
                    first += $max;
                }
                if $max > 4 && first + 4 <= sum.len() {
                    $tile::<{ 4 * $per_line }>(sum, base, rows, gained, lost, first);
                    first += 4;
                }
                if first + 2 <= sum.len() {
                    $tile::<{ 2 * $per_line }>(sum, base, rows, gained, lost, first);
                    first += 2;
                }
                if first < sum.len() {
                    $tile::<$per_line>(sum, base, rows, gained, lost, first);
                }
            }
        }

        /// Sums `REGISTERS` registers from the line `first` on.
        ///
        /// # Safety
        /// The processor must have the features, and `base` must be as long as `sum`; `REGISTERS` registers from
        /// `first` on lie within `sum`.
        #[target_feature(enable = $features)]
        unsafe fn $tile<const REGISTERS: usize>(
            sum: &mut [Vector],
            base: &[Vector],
            rows: &[$row],
            gained: &[u32],
            lost: &[u32],
            first: usize,
        ) {
            let lines = sum.len();
            // Slices check that the row is there.
            let at = |row: u32| rows[row as usize * lines..][..lines].as_ptr();
            // SAFETY: the tile lies within `sum`, `base` and each row, all of `lines` lines; lines are aligned to their
            // size, which is a multiple of what is loaded at once.
            unsafe {
                let at = |row: u32| at(row).add(first).cast::<[u8; size_of::<$row>() / $per_line]>();
                let base = base.as_ptr().add(first).cast::<$register>();
                let mut tile: [$register; REGISTERS] = std::array::from_fn(|i| $load(base.add(i).cast()));
                for &row in gained {
                    let row = at(row);
                    for (i, register) in tile.iter_mut().enumerate() {
                        *register = $add(*register, $load_row(row.add(i).cast()));
                    }
                }
                for &row in lost {
                    let row = at(row);
                    for (i, register) in tile.iter_mut().enumerate() {
                        *register = $sub(*register, $load_row(row.add(i).cast()));
                    }
                }
                let sum = sum.as_mut_ptr().add(first).cast::<$register>();
                for (i, register) in tile.into_iter().enumerate() {
                    $store(sum.add(i).cast(), register);
                }
            }
        }
    };
}

/// The sums of rows for each image of a board, in registers, `$per_line` to a [`Vector`]: all images at once, because
/// each waits for its own rows.
macro_rules! image_sums {
    ($features:literal, $register:ty, $per_line:literal, $load:ident, $store:ident, $add:ident) => {
        /// # Safety
        /// The processor must have the features, `sum` must have a part as long as `base` for each image, and `rows`
        /// each row that `features` name.
        #[target_feature(enable = $features)]
        pub(crate) unsafe fn add_images(sum: &mut [Vector], base: &[Vector], rows: &[Vector], features: &[Images]) {
            let registers = base.len() * $per_line;
            let (sum, base, rows) = (
                sum.as_mut_ptr().cast::<$register>(),
                base.as_ptr().cast::<$register>(),
                rows.as_ptr().cast::<$register>(),
            );
            for at in 0..registers {
                // SAFETY: `at` lies within each part and each row; lines are aligned to their size, which is a multiple
                // of what is loaded at once.
                unsafe {
                    let mut sums = [$load(base.add(at).cast()); SYMMETRIES];
                    for images in features {
                        for (sum, &row) in sums.iter_mut().zip(images) {
                            *sum = $add(*sum, $load(rows.add(row as usize * registers + at).cast()));
                        }
                    }
                    for (image, total) in sums.into_iter().enumerate() {
                        $store(sum.add(image * registers + at).cast(), total);
                    }
                }
            }
        }
    };
}

/// Compiles the loops of [`scalar`](super::scalar) for each set of registers.
#[cfg(target_arch = "x86_64")]
macro_rules! loops {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        pub(crate) fn pool(
            pool: &mut Vector,
            kept: &mut [Vector],
            bias: &Vector,
            rows: &[Vector],
            changes: &[(u8, Option<PointRows>)],
        ) {
            scalar::pool(pool, kept, bias, rows, changes);
        }

        #[target_feature(enable = $features)]
        pub(crate) fn dense(sum: &mut [Vector], base: &[Vector], pool: &Vector, weights: &[Vector], shift: u32) {
            scalar::dense(sum, base, pool, weights, shift);
        }
    };
}
