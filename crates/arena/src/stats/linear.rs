//! Symmetric systems of linear equations: sparse ones, solved by conjugate gradients, and small dense ones.

/// The matrix of a network: each node's own value, and conductances between two nodes, which appear on the diagonal
/// and, negated, off it. It is positive definite if each component of the network has a value of its own.
#[derive(Clone, Debug)]
pub(super) struct Network {
    diagonal: Vec<f64>,
    edges: Vec<(u32, u32, f64)>,
}

impl Network {
    pub(super) fn new(nodes: usize) -> Self {
        Self { diagonal: vec![0.0; nodes], edges: Vec::new() }
    }

    /// Adds to a node's own value.
    pub(super) fn add(&mut self, node: u32, value: f64) {
        self.diagonal[node as usize] += value;
    }

    pub(super) fn connect(&mut self, a: u32, b: u32, value: f64) {
        self.add(a, value);
        self.add(b, value);
        self.edges.push((a, b, value));
    }

    fn times<const N: usize>(&self, vectors: &[[f64; N]]) -> Vec<[f64; N]> {
        let mut product: Vec<[f64; N]> =
            vectors.iter().zip(&self.diagonal).map(|(row, diagonal)| row.map(|value| value * diagonal)).collect();
        for &(a, b, value) in &self.edges {
            let (a, b) = (a as usize, b as usize);
            for n in 0..N {
                product[a][n] -= value * vectors[b][n];
                product[b][n] -= value * vectors[a][n];
            }
        }
        product
    }

    /// Solves for several right-hand sides at once, by conjugate gradients preconditioned with the diagonal, until
    /// every residual is at most `tolerance` times its right-hand side, or no further digit can be gained.
    ///
    /// Source: J. R. Shewchuk, An Introduction to the Conjugate Gradient Method Without the Agonizing Pain (1994).
    pub(super) fn solve<const N: usize>(&self, right: &[[f64; N]], tolerance: f64) -> Vec<[f64; N]> {
        let dot = |a: &[[f64; N]], b: &[[f64; N]]| {
            let mut sums = [0.0; N];
            for (a, b) in a.iter().zip(b) {
                for n in 0..N {
                    sums[n] += a[n] * b[n];
                }
            }
            sums
        };
        let scaled = |rows: &[[f64; N]]| -> Vec<[f64; N]> {
            rows.iter().zip(&self.diagonal).map(|(row, diagonal)| row.map(|value| value / diagonal)).collect()
        };
        // A ratio of two sums, or 0 if nothing is left of the divisor.
        let ratio = |a: [f64; N], b: [f64; N]| std::array::from_fn(|n| if b[n] > 0.0 { a[n] / b[n] } else { 0.0 });
        let mut solution = vec![[0.0; N]; right.len()];
        let mut residual = right.to_vec();
        let mut conditioned = scaled(&residual);
        let mut direction = conditioned.clone();
        let mut left = dot(&residual, &conditioned);
        let enough = left.map(|left| left * tolerance * tolerance);
        // In exact arithmetic as many steps as there are equations are enough.
        for _ in 0..2 * right.len() + 10 {
            if left.iter().zip(enough).all(|(left, enough)| *left <= enough) {
                break;
            }
            let product = self.times(&direction);
            let step: [f64; N] = ratio(left, dot(&direction, &product));
            for (i, direction) in direction.iter().enumerate() {
                for n in 0..N {
                    solution[i][n] += step[n] * direction[n];
                    residual[i][n] -= step[n] * product[i][n];
                }
            }
            conditioned = scaled(&residual);
            let now = dot(&residual, &conditioned);
            let kept: [f64; N] = ratio(now, left);
            left = now;
            for (direction, conditioned) in direction.iter_mut().zip(&conditioned) {
                for n in 0..N {
                    direction[n] = conditioned[n] + kept[n] * direction[n];
                }
            }
        }
        solution
    }

    pub(super) fn diagonal(&self) -> &[f64] {
        &self.diagonal
    }

    pub(super) fn dense(&self) -> Matrix {
        let mut dense = Matrix::zero(self.diagonal.len());
        for (node, value) in self.diagonal.iter().enumerate() {
            dense.add(node, node, *value);
        }
        for &(a, b, value) in &self.edges {
            dense.add(a as usize, b as usize, -value);
            dense.add(b as usize, a as usize, -value);
        }
        dense
    }
}

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Matrix {
    size: usize,
    cells: Vec<f64>,
}

impl Matrix {
    pub(super) fn zero(size: usize) -> Self {
        Self { size, cells: vec![0.0; size * size] }
    }

    pub(super) fn at(&self, i: usize, j: usize) -> f64 {
        self.cells[i * self.size + j]
    }

    pub(super) fn set(&mut self, i: usize, j: usize, value: f64) {
        self.cells[i * self.size + j] = value;
    }

    fn add(&mut self, i: usize, j: usize, value: f64) {
        self.cells[i * self.size + j] += value;
    }

    pub(super) fn product(&self, other: &Self) -> Self {
        let mut product = Self::zero(self.size);
        for i in 0..self.size {
            for j in 0..self.size {
                product.set(i, j, (0..self.size).map(|k| self.at(i, k) * other.at(k, j)).sum());
            }
        }
        product
    }

    /// By Gauss–Jordan for a positive definite matrix: no pivot is ever 0, so there is no need to search for one.
    pub(super) fn inverse(&self) -> Self {
        let n = self.size;
        let (mut left, mut right) = (self.clone(), Self::zero(n));
        for i in 0..n {
            right.set(i, i, 1.0);
        }
        for i in 0..n {
            let pivot = left.at(i, i);
            for j in 0..n {
                left.set(i, j, left.at(i, j) / pivot);
                right.set(i, j, right.at(i, j) / pivot);
            }
            for k in (0..n).filter(|&k| k != i) {
                let factor = left.at(k, i);
                for j in 0..n {
                    left.add(k, j, -factor * left.at(i, j));
                    right.add(k, j, -factor * right.at(i, j));
                }
            }
        }
        right
    }

    /// Turns the covariance of some variables into that of their differences from their mean; they covary with no
    /// others.
    pub(super) fn centre(&mut self, which: &[usize]) {
        let n = which.len() as f64;
        let rows: Vec<f64> = which.iter().map(|&i| which.iter().map(|&j| self.at(i, j)).sum::<f64>() / n).collect();
        let all = rows.iter().sum::<f64>() / n;
        for (&i, row) in which.iter().zip(&rows) {
            for (&j, column) in which.iter().zip(&rows) {
                self.add(i, j, all - row - column);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conjugate_gradients_and_elimination_agree() {
        let mut network = Network::new(30);
        for node in 0..30 {
            network.add(node, 0.1 + f64::from(node % 3));
            network.connect(node, (node + 1) % 30, 1.0 + f64::from(node));
            network.connect(node, (node * 7 + 2) % 30, 0.5);
        }
        let right: Vec<[f64; 3]> = (0..30).map(|n| [f64::from(n), 1.0 / f64::from(n + 1), 0.0]).collect();
        let (found, inverse) = (network.solve(&right, 1e-12), network.dense().inverse());
        for (i, found) in found.iter().enumerate() {
            for n in 0..3 {
                let wanted: f64 = (0..30).map(|j| inverse.at(i, j) * right[j][n]).sum();
                assert!((found[n] - wanted).abs() < 1e-9, "{i} {n}: {} is not {wanted}", found[n]);
            }
        }
        assert_eq!(Network::new(0).solve::<1>(&[], 1e-9), Vec::<[f64; 1]>::new());
    }
}
