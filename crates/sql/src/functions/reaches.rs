//! Place holder.
pub(crate) const NAME: &str = "reaches";
pub(crate) fn target(
    game: &'static dyn plypack_core::ErasedGame,
    text: &str,
) -> Option<plypack_store::find::Target> {
    use plypack_store::find::Target;
    Target::read(game, Some(text), "").or_else(|_| Target::read(game, None, text)).ok()
}
