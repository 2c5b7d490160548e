//! `cargo xtask dist`: what a release gives people to install, in `target/dist`: an archive of the
//! program with its manual, completions and licences, on Debian a package, and their checksums.
//!
//! `.github/workflows/release.yml` calls it on each system.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::toolchain::{hex, host, metadata, output, succeed, there};

/// Where everything is put.
const FOLDER: &str = "target/dist";

/// The texts at the root that an archive has.
const TEXTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// A shell, and where Debian expects its completions.
const SHELLS: [(&str, Option<&str>); 5] = [
    ("bash", Some("usr/share/bash-completion/completions/plypack")),
    ("elvish", None),
    ("fish", Some("usr/share/fish/vendor_completions.d/plypack.fish")),
    ("powershell", None),
    ("zsh", Some("usr/share/zsh/vendor-completions/_plypack")),
];

/// What is packed and unpacked before an archive is made.
const SAMPLE: &str = "samples/championship.pgn";

/// A system for which the program is built.
struct Wanted {
    /// Rust's name of it.
    target: String,
    /// The features of the program.
    features: &'static str,
}

/// Builds the program and makes its archive.
///
/// # Errors
/// Returns an error if `args` are invalid, the build fails, or the program does not give back what
/// it packs.
pub fn run(root: &Path, args: &[String]) -> Result<ExitCode, String> {
    let mut wanted = Wanted { target: host(root)?, features: "sql" };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--target" => wanted.target = args.next().ok_or(crate::USAGE)?.clone(),
            "--without-sql" => wanted.features = "",
            _ => return Err(crate::USAGE.into()),
        }
    }
    let program = build(root, &wanted)?;
    let version = env!("CARGO_PKG_VERSION");
    let name = format!("plypack-{version}-{}", wanted.target);
    let folder = root.join(FOLDER).join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(at(&folder))?;
    }
    fs::create_dir_all(folder.join("completions")).map_err(at(&folder))?;
    for text in TEXTS {
        copy(&root.join(text), &folder.join(text))?;
    }
    write(&folder.join("THIRD-PARTY.txt"), licences(root, &wanted)?.as_bytes())?;
    // The manual is the same everywhere; a program of another system cannot print it here.
    let ours = if wanted.target == host(root)? { program.clone() } else { native(root)? };
    write(&folder.join("plypack.1"), &says(&ours, &["man"])?)?;
    for (shell, _) in SHELLS {
        let place = folder.join("completions").join(format!("plypack.{shell}"));
        write(&place, &says(&ours, &["completions", shell])?)?;
    }
    let own = folder.join(program.file_name().unwrap_or_default());
    copy(&program, &own)?;
    if wanted.target == host(root)? || runs(&own) {
        check(root, &own)?;
    } else {
        println!("not tried: this system does not run programs for {}", wanted.target);
    }
    let mut made = vec![archive(root, &name)?];
    if wanted.target.contains("linux") && there("dpkg-deb") {
        made.push(package(root, &folder, &wanted, version)?);
    }
    for file in made {
        let bytes = fs::read(&file).map_err(at(&file))?;
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let sum = hex(&Sha256::digest(&bytes));
        write(
            &file.with_file_name(format!("{name}.sha256")),
            format!("{sum}  {name}\n").as_bytes(),
        )?;
        println!("{} {} bytes, SHA-256 {sum}", file.display(), bytes.len());
    }
    Ok(ExitCode::SUCCESS)
}

/// Builds the program, and returns its path.
fn build(root: &Path, wanted: &Wanted) -> Result<PathBuf, String> {
    // Four hundred crates come with `sql`, of which most need not be fast (docs/building.md).
    let profile = if wanted.features.is_empty() { "release" } else { "engine" };
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--locked", "-p", "plypack-cli", "--profile", profile]);
    cargo.args(["--features", wanted.features, "--target", &wanted.target]).current_dir(root);
    succeed(&mut cargo)?;
    let end = if wanted.target.contains("windows") { ".exe" } else { "" };
    Ok(target(root).join(&wanted.target).join(profile).join(format!("plypack{end}")))
}

/// Builds the program for this system, to print what is the same on all.
fn native(root: &Path) -> Result<PathBuf, String> {
    succeed(
        Command::new("cargo").args(["build", "--locked", "-p", "plypack-cli"]).current_dir(root),
    )?;
    Ok(target(root).join("debug").join(format!("plypack{}", std::env::consts::EXE_SUFFIX)))
}

fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

/// Fails unless the program packs, and gives back what it packed.
fn check(root: &Path, program: &Path) -> Result<(), String> {
    let packed = root.join(FOLDER).join("check.parquet");
    let sample = root.join(SAMPLE);
    let mut pack = Command::new(program);
    succeed(pack.args(["pack", "-q", "-f", "--index", "-o"]).arg(&packed).arg(&sample))?;
    let back = says(program, &["unpack", "-c", &packed.display().to_string()])?;
    if back != fs::read(&sample).map_err(at(&sample))? {
        return Err(format!("{} does not give back {SAMPLE}", program.display()));
    }
    for file in [packed.clone(), packed.with_extension("plyindex")] {
        fs::remove_file(&file).map_err(at(&file))?;
    }
    Ok(())
}

/// Whether this system runs the program, as it runs a static one for another C library.
fn runs(program: &Path) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

/// Makes the archive of a folder, and returns its path.
fn archive(root: &Path, name: &str) -> Result<PathBuf, String> {
    let folder = root.join(FOLDER);
    let file = format!("{name}.tar.gz");
    succeed(Command::new("tar").args(["-czf", &file, name]).current_dir(&folder))?;
    Ok(folder.join(file))
}

/// Makes a package for Debian of an archive's folder, and returns its path.
fn package(root: &Path, folder: &Path, wanted: &Wanted, version: &str) -> Result<PathBuf, String> {
    let architecture = match wanted.target.split('-').next() {
        Some("x86_64") => "amd64",
        Some("aarch64") => "arm64",
        _ => return Err(format!("{}: Debian's name of it is not known", wanted.target)),
    };
    let stage = root.join(FOLDER).join("deb");
    if stage.exists() {
        fs::remove_dir_all(&stage).map_err(at(&stage))?;
    }
    let put = |from: &str, to: &str| {
        let to = stage.join(to);
        fs::create_dir_all(to.parent().unwrap_or(&stage)).map_err(at(&to))?;
        copy(&folder.join(from), &to)
    };
    put("plypack", "usr/bin/plypack")?;
    put("plypack.1", "usr/share/man/man1/plypack.1")?;
    put("LICENSE-MIT", "usr/share/doc/plypack/copyright")?;
    for text in ["LICENSE-APACHE", "THIRD-PARTY.txt", "README.md", "CHANGELOG.md"] {
        put(text, &format!("usr/share/doc/plypack/{text}"))?;
    }
    for (shell, place) in SHELLS {
        if let Some(place) = place {
            put(&format!("completions/plypack.{shell}"), place)?;
        }
    }
    // A program for musl needs nothing; others need the C library of the system that built it.
    let needs = if wanted.target.ends_with("musl") { "" } else { "Depends: libc6\n" };
    let control = format!(
        "Package: plypack\nVersion: {version}\nArchitecture: {architecture}\n{needs}\
         Maintainer: plypack's developers <plypack@users.noreply.github.com>\n\
         Section: games\nPriority: optional\n\
         Description: packs records of board games\n \
         Games in a third of the bytes that zstd needs, restored to the byte, in an open file.\n"
    );
    fs::create_dir_all(stage.join("DEBIAN")).map_err(at(&stage))?;
    write(&stage.join("DEBIAN/control"), control.as_bytes())?;
    let file = root.join(FOLDER).join(format!("plypack_{version}_{architecture}.deb"));
    let mut deb = Command::new("dpkg-deb");
    succeed(deb.args(["--root-owner-group", "--build"]).arg(&stage).arg(&file))?;
    fs::remove_dir_all(&stage).map_err(at(&stage))?;
    Ok(file)
}

/// The licences of all crates that the program is made of, each text once.
fn licences(root: &Path, wanted: &Wanted) -> Result<String, String> {
    let mut tree = Command::new("cargo");
    tree.args(["tree", "--locked", "-p", "plypack-cli", "-e", "normal", "--prefix", "none"]);
    tree.args(["--format", "{p}", "--target", &wanted.target, "--features", wanted.features]);
    let used = output(tree.current_dir(root))?;
    let metadata = metadata(root, &["--locked"])?;
    let used = String::from_utf8_lossy(&used).into_owned();
    // `name v1.2.3`, and behind it where it comes from if that is not the registry.
    let used = |package: &Value| {
        let [name, version] = ["name", "version"].map(|key| package[key].as_str().unwrap_or(""));
        let own = format!("{name} v{version}");
        used.lines().any(|line| {
            line.strip_prefix(&own).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        })
    };
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        // Packages without a source are our own.
        if package["source"].is_null() || !used(package) {
            continue;
        }
        let [name, version, licence, manifest] = ["name", "version", "license", "manifest_path"]
            .map(|key| package[key].as_str().unwrap_or("?").to_owned());
        let named = format!("{name} {version}, {licence}");
        let found = licence_files(Path::new(&manifest).parent().unwrap_or(root))?;
        if found.is_empty() {
            texts
                .entry("These state their licences by name alone.".into())
                .or_default()
                .push(named);
            continue;
        }
        for text in found {
            texts.entry(text).or_default().push(named.clone());
        }
    }
    if texts.is_empty() {
        return Err("no licence of any crate was found".into());
    }
    let mut all = String::from("plypack is made of these libraries, too.\n");
    for (text, names) in texts {
        let _ =
            write!(all, "\n{}\n\n{}\n\n{}\n", "=".repeat(80), names.join("\n"), text.trim_end());
    }
    Ok(all)
}

/// The texts of a crate's licences.
fn licence_files(folder: &Path) -> Result<Vec<String>, String> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        let is_one = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];
        if path.is_file() && is_one.iter().any(|word| name.starts_with(word)) {
            let bytes = fs::read(&path).map_err(at(&path))?;
            texts.push(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"));
        }
    }
    texts.sort();
    Ok(texts)
}

fn says(program: &Path, arguments: &[&str]) -> Result<Vec<u8>, String> {
    output(Command::new(program).args(arguments))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(|_| ()).map_err(at(from))
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(at(path))
}

fn at(path: &Path) -> impl Fn(io::Error) -> String + '_ {
    move |error| format!("{}: {error}", path.display())
}
