# What releases share: they are built from the last commit. To be sourced, in the root of the checkout.
# shellcheck shell=bash
if [ -n "$(git status --porcelain)" ]; then
    echo "There are changes that are not committed: a release is built from a commit." >&2
    exit 1
fi
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH CARGO_INCREMENTAL=0

# The version of all packages.
version() { sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1; }

# The flags of rustc for a build in a folder: no path of this machine is in what is built.
remaps() {
    local folder=$1
    printf '%s' "--remap-path-prefix=$folder=/ndbytes --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo" \
        " --remap-path-prefix=$(rustc --print sysroot)=/rust"
}

# Builds from the last commit as it is handed out: built FOLDER TARGET ARGUMENT…, with the arguments of `cargo build`. Nothing in the
# result may depend on the name of the folder, which has what is built in target/TARGET. It is made here.
built() {
    local folder=$1 target=$2 cargo_home=${CARGO_HOME:-$HOME/.cargo} flags
    shift 2
    flags=$(remaps "$folder")
    mkdir "$folder"
    git archive HEAD | tar -x -C "$folder"
    # No settings of this machine: neither its flags nor its files of settings for Cargo.
    (cd "$folder" && env -u CARGO_ENCODED_RUSTFLAGS -u CARGO_BUILD_RUSTFLAGS -u CARGO_TARGET_DIR \
        RUSTFLAGS="$flags" \
        CFLAGS="-ffile-prefix-map=$folder=/ndbytes -ffile-prefix-map=$cargo_home=/cargo" \
        cargo build --locked --target "$target" --target-dir "$folder/target" "$@")
}

# Builds the tool as it is handed out: build_tool FOLDER OUT TARGET. The folder is made and removed. What the tool is made of is not in
# the program: cargo-auditable 0.7.7 asks Cargo for the features of all members of the workspace at once, and fails.
build_tool() {
    local folder=$1 out=$2 target=$3 suffix=
    case $target in *windows*) suffix=.exe ;; esac
    built "$folder" "$target" --profile dist -p ndbytes-cli --bin ndbytes
    mv "$folder/target/$target/dist/ndbytes$suffix" "$out"
    rm -rf "$folder"
}

# The machine that this runs on, as Rust names it.
host() { rustc --version --verbose | sed -n 's/^host: //p'; }
