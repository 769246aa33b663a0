#![allow(clippy::pedantic, missing_docs)]
pub struct Walls;
impl Walls {
    pub fn new(_: &super::jail::Jail) -> std::io::Result<Self> {
        Ok(Self)
    }
    pub fn raise(&self) -> Result<(), super::failure::JailError> {
        Ok(())
    }
}
