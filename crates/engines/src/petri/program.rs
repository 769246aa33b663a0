//! The program of a colony.

use agon_game::Stateless;
use agon_game::seed::Stream;
use agon_rules::petri::{Action, Announcement, Direction, Directions, Scene, SceneError, Sight, Species};

use super::{Answer, Choice};

/// The program of a colony: decides one action of one cell at a time, without memory.
pub trait PetriProgram: Sync {
    fn name(&self) -> &'static str;

    /// Returns its answer to `BEGIN`: the points of its species.
    fn begin(&self) -> Announcement;

    /// Returns its possible choices for this view.
    fn choose(&self, sight: &Sight<'_>) -> Choice;

    /// Returns its answer for this view.
    #[inline]
    fn act(&self, sight: &Sight<'_>, random: &mut Stream) -> Answer {
        self.choose(sight).draw(random)
    }
}

impl<P: PetriProgram + ?Sized> PetriProgram for &P {
    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn begin(&self) -> Announcement {
        (**self).begin()
    }

    fn choose(&self, sight: &Sight<'_>) -> Choice {
        (**self).choose(sight)
    }
}

/// A species of the challenge's page: its name, its answer to `BEGIN` and its code.
pub struct NativeSpecies {
    name: &'static str,
    pub(super) begin: Announcement,
    code: fn(&Sight<'_>) -> Choice,
}

impl NativeSpecies {
    pub(super) const fn new(
        name: &'static str,
        [hp, energy, acidity]: [u8; 3],
        code: fn(&Sight<'_>) -> Choice,
    ) -> Self {
        Self { name, begin: announcement(hp, energy, acidity), code }
    }

    /// Marks a program that stays alive (LOOP).
    pub(super) const fn kept_alive(mut self) -> Self {
        self.begin.loops = true;
        self
    }
}

impl PetriProgram for NativeSpecies {
    fn name(&self) -> &'static str {
        self.name
    }

    fn begin(&self) -> Announcement {
        self.begin
    }

    fn choose(&self, sight: &Sight<'_>) -> Choice {
        (self.code)(sight)
    }
}

/// Answers one input as a program of the challenge does: `BEGIN` with the species, a dish with an action. The answer
/// has no newline; a newline at the end of the input is ignored.
///
/// ```
/// use agon_engines::petri::respond;
/// use agon_game::seed::Stream;
/// let amoeba = agon_catalog::petri::program("amoeba").unwrap();
/// let mut random = Stream::new(1, "petri");
/// assert_eq!(respond(amoeba, b"BEGIN", &mut random).unwrap(), "5 7 0");
/// let input = b"4 4\n....\n.o..\n..x.\n....\n\n1 1 5 2";
/// assert_eq!(respond(amoeba, input, &mut random).unwrap(), "ATTACK SE 2");
/// ```
///
/// # Errors
/// [`SceneError`] when the input is neither.
pub fn respond(program: &dyn PetriProgram, input: &[u8], random: &mut Stream) -> Result<String, SceneError> {
    if input.strip_suffix(b"\n").unwrap_or(input) == b"BEGIN" {
        return Ok(program.begin().to_string());
    }
    Ok(program.act(&Scene::read(input)?.sight(), random).to_string())
}

/// A species as the program that a referee invokes.
///
/// Randomness is drawn from the seed and the input together: a program that stays alive with one seed for all its
/// inputs then answers like one that is restarted, and the same input always gets the same answer.
#[derive(Clone, Copy)]
pub struct Native(pub &'static dyn PetriProgram);

impl Stateless for Native {
    fn respond(&self, input: &[u8], seed: u64) -> Result<String, String> {
        let input = input.strip_suffix(b"\n").unwrap_or(input);
        let text = str::from_utf8(input).map_err(|error| error.to_string())?;
        respond(self.0, input, &mut Stream::new(seed, text)).map_err(|error| error.to_string())
    }
}

/// Creates an announcement in a constant: the compiler checks the twelve points.
pub(super) const fn announcement(hp: u8, energy: u8, acidity: u8) -> Announcement {
    match Species::spending(hp, energy, acidity) {
        Some(species) => Announcement { species, loops: false },
        None => panic!("a species spends twelve points"),
    }
}

/// The most that an attack can be worth: all the energy, up to 3.
pub(super) fn strength(sight: &Sight<'_>) -> i32 {
    i32::from(sight.energy().min(3))
}

/// Attacks a random one of these enemies with everything it has.
pub(super) fn attack_any(sight: &Sight<'_>, enemies: Directions) -> Option<Choice> {
    let strength = strength(sight);
    Choice::any(|direction| Action::Attack(direction, strength), enemies)
}

/// Returns the direction in which cells based on a common template look for enemies: towards the first one, column by
/// column starting at `from`; north if they see none.
pub(super) fn towards_enemy(sight: &Sight<'_>, from: usize) -> Direction {
    let here = sight.place();
    sight
        .leftmost_enemy(from)
        .and_then(|there| {
            let step = |to: u8, from: u8| i32::from(to) - i32::from(from);
            Direction::towards(step(there.x, here.x), step(there.y, here.y))
        })
        .unwrap_or(Direction::North)
}
