//! The closed list of games: from a name and parameters to a boxed contest.
