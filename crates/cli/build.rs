//! Puts the viewer into the program, if `cargo xtask web` has built it before.

use std::path::PathBuf;

fn main() {
    let variable = |name: &str| std::env::var_os(name).map(PathBuf::from).unwrap_or_default();
    let page = variable("CARGO_MANIFEST_DIR").join("page");
    println!("cargo:rerun-if-changed={}", page.display());
    let mut code = String::from("&[\n");
    for (name, kind) in [
        ("index.html", "text/html; charset=utf-8"),
        ("example.html", "text/html; charset=utf-8"),
        ("plypack-board.js", "text/javascript"),
        ("plypack-games.js", "text/javascript"),
    ] {
        let file = page.join(name);
        if file.exists() {
            code += &format!("({name:?}, {kind:?}, include_bytes!({file:?})),\n");
        }
    }
    code.push(']');
    let out = variable("OUT_DIR").join("page.rs");
    if let Err(error) = std::fs::write(&out, code) {
        println!("cargo::error={}: {error}", out.display());
    }
}
