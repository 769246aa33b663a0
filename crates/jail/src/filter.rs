#![allow(clippy::pedantic, missing_docs)]
pub fn common(_: super::jail::Level) -> std::io::Result<()> {
    Ok(())
}
pub fn put_on(_: &()) -> std::io::Result<()> {
    Ok(())
}
