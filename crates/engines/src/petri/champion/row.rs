//! The kinds of action.

/// The kinds of action that are weighed apart from each other; a rest weighs 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Row {
    /// Going next to an enemy.
    MoveContact,
    /// Going where one square is left between the cell and an enemy.
    MoveNear,
    MoveFar,
    /// A newborn next to an enemy.
    DivideContact,
    /// A newborn with one square between it and an enemy.
    DivideNear,
    DivideFar,
    /// An attack of full strength.
    Attack,
    Jab,
    Eat,
    Explode,
}

/// All rows by their names in a policy's file.
pub const ROWS: [(Row, &str); 10] = [
    (Row::MoveContact, "move_contact"),
    (Row::MoveNear, "move_near"),
    (Row::MoveFar, "move_far"),
    (Row::DivideContact, "divide_contact"),
    (Row::DivideNear, "divide_near"),
    (Row::DivideFar, "divide_far"),
    (Row::Attack, "attack"),
    (Row::Jab, "jab"),
    (Row::Eat, "eat"),
    (Row::Explode, "explode"),
];
