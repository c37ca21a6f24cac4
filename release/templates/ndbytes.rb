# The Homebrew formula. It installs the binaries of a release, so Rust is not needed.
class Ndbytes < Formula
  desc "Says what is wrong with a data file, and which byte it is"
  homepage "https://github.com/@OWNER@/ndbytes"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@URL aarch64-apple-darwin@"
      sha256 "@SHA256 aarch64-apple-darwin@"
    end
    on_intel do
      url "@URL x86_64-apple-darwin@"
      sha256 "@SHA256 x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "@URL aarch64-unknown-linux-musl@"
      sha256 "@SHA256 aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "@URL x86_64-unknown-linux-musl@"
      sha256 "@SHA256 x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "ndbytes"
    man1.install Dir["man/*"]
    bash_completion.install "completions/ndbytes.bash" => "ndbytes"
    zsh_completion.install "completions/_ndbytes"
    fish_completion.install "completions/ndbytes.fish"
  end

  test do
    (testpath/"a-idx1-ubyte").binwrite [0, 0, 8, 1, 0, 0, 0, 2, 7, 9].pack("C*")
    system bin/"ndbytes", "check", "a-idx1-ubyte"
  end
end
