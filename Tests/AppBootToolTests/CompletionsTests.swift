import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The completions subcommand", .ownThread)
struct CompletionsTests {
  private static func has(_ program: String) -> Bool {
    ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
      FileSystem.exists(FileSystem.join($0, program))
    }
  }

  private static let manifest = #"{ "commands": ["InitializeThirdParties", "Appearance"] }"#

  /// Returns the completions that bash offers for the last word.
  private func bash(_ words: String...) throws -> [String] {
    let script = #"""
      source /dev/stdin <<< "$("$0" completions bash)"
      [[ $(complete -p appboot) =~ -F\ ([^ ]+) ]] || exit 1
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); ${BASH_REMATCH[1]}; printf '%s\n' "${COMPREPLY[@]}"
      """#
    // The tool is found by its name.
    let path = #"PATH="${0%/*}:$PATH" exec bash -c "$SCRIPT" "$0" "$@""#
    let tool = try ToolProcess("appboot").with(words).script(path)
      .environment("SCRIPT", script).file("commands.json", Self.manifest).file("notes.txt", "")
      .file("other.json", #"{ "commands": [{ "command": "Appearance", "id": "look" }] }"#)
      .file("[mn]otes.txt", "")
      .file(
        "ids.json",
        #"{ "commands": [{ "command": "Appearance", "id": "$(touch PWNED)" }, { "command": "Appearance", "id": "two words" }] }"#
      )
    let output = try tool.run().output
    #expect(!FileSystem.exists(tool.directory.file("PWNED")))
    return output.split(separator: "\n").map(String.init)
  }

  @Test("bash completes subcommands, options and values", .enabled(if: has("bash"), "bash is not installed"))
  func inBash() throws {
    #expect(try bash("em") == ["emit"])
    #expect(try bash("run", "--forma") == ["--format"])
    #expect(try bash("run", "--format", "js") == ["json", "jsonl"])
    #expect(try bash("run", "--format", "=", "t") == ["text"])
    #expect(try bash("emit", "openU") == ["openURL"])
    #expect(try bash("emit", "--url", "a:b", "openU") == ["openURL"])
    #expect(try bash("emit", "openURL", "comm") == ["commands.json"])
    #expect(try bash("run", "--only", "x", "comm") == ["commands.json"])
    #expect(
      try bash("init", "--template", "") == [
        "basic", "machine", "service", "container", "systemd", "kubernetes", "ci", "app",
      ])
    #expect(try bash("completions", "") == ["bash", "zsh", "fish"])
    #expect(try bash("run", "--record", "comm") == ["commands.json"])
    #expect(try bash("check", "--baseline", "comm") == ["commands.json"])
    #expect(try bash("report", "-o", "comm") == ["commands.json"])
    #expect(try bash("commands", "InitialS") == ["InitialScreen"])
    #expect(try bash("help", "stat") == ["status"])
    #expect(try bash("run", "--stay", "--col") == ["--color"])
    #expect(try bash("run", "--jobs", "") == [])
    #expect(try bash("check", "--baseline", "comm") == ["commands.json"])
    #expect(try bash("emit", "--format", "=", "json", "openU") == ["openURL"])
    #expect(try bash("emit", "--url", "a", ":", "b", "openU") == ["openURL"])
    #expect(try bash("run", "--only", "App") == ["Appearance"])
    #expect(
      try bash("run", "--skip", "=", "Appearance,") == [
        "Appearance,InitializeThirdParties", "Appearance,Appearance",
      ])
    #expect(try bash("list", "other.json", "--only", "") == ["look"])
    #expect(try bash("check", "--record", "other.json", "--only", "I") == ["InitializeThirdParties"])
    #expect(try bash("report", "--why", "App") == ["Appearance"])
    #expect(try bash("logs", "Init") == ["InitializeThirdParties"])
    // An id is neither run nor split. Outside of a completion, one that cannot be quoted is left out.
    #expect(try bash("run", "ids.json", "--only", "$") == [])
    #expect(try bash("run", "ids.json", "--only", "two\\ w") == ["two words"])
    // A file name that is also a pattern is completed literally.
    #expect(try bash("run", "[m") == ["[mn]otes.txt"])
  }

  @Test("fish completes subcommands, options and values", .enabled(if: has("fish"), "fish is not installed"))
  func inFish() throws {
    let script = #"""
      source ($argv[1] completions fish | psub)
      for line in 'em' 'run --format j' 'emit openU' 'completions z' 'run --sta' 'status --format ' \
          'run --only App' 'run --only Appearance,Ini' 'init --template c'
        complete -C "appboot $line" | string replace -r '\t.*' ''
      end
      """#
    let tool = try ToolProcess().script(#"PATH="${0%/*}:$PATH" exec fish --no-config -c "$SCRIPT" -- "$0""#)
      .environment("SCRIPT", script).environment("HOME", "/tmp").file("commands.json", Self.manifest)
    let offered = try tool.run().output.split(separator: "\n").map(String.init)
    #expect(
      offered == [
        "emit", "json", "jsonl", "openURL", "zsh", "--state", "--stay", "json", "jsonl", "text",
        "Appearance", "Appearance,InitializeThirdParties", "ci", "container",
      ])
  }

  /// A zsh session in a terminal of its own; its `compadd` writes the completions of each line to a file.
  private static let zshSession = #"""
    zmodload zsh/zpty || exit 1
    export TOOL=$0 SETUP='
    autoload -Uz compinit; compinit -u -D
    source <($TOOL completions zsh)
    compadd() {
      local -a offers
      if [[ $@[1,(i)(-|--)] = *-[OAD]\ * ]]; then builtin compadd "$@"; return; fi
      builtin compadd -O offers "$@"
      (( $#offers )) && print -rl -- $offers >> offered
      builtin compadd "$@"
    }
    _offer() { _main_complete; print "END" }
    zle -C offer list-choices _offer
    bindkey "^I" offer'
    zpty session zsh -f -i
    zpty -w session 'eval $SETUP'
    for line; do
      print -r -- "> $line" >> offered
      zpty -w -n session $'\C-uappboot '$line$'\t'
      zpty -r -m session output '*END*'
    done
    cat offered
    """#

  @Test("zsh completes subcommands, options and values", .enabled(if: has("zsh"), "zsh is not installed"))
  func inZsh() throws {
    let expected: [(line: String, offers: [String])] = [
      ("em", ["emit"]), ("run --forma", ["--format"]), ("run --format j", ["json", "jsonl"]),
      ("run --format=t", ["text"]), ("emit openU", ["openURL"]), ("emit --url a:b openU", ["openURL"]),
      ("emit openURL comm", ["commands.json"]), ("run --only x comm", ["commands.json"]),
      ("run -q --verb", ["--verbose"]), ("completions ", ["bash", "zsh", "fish"]),
      ("init --template s", ["service", "systemd"]),
      ("commands InitialS", ["InitialScreen"]), ("help stat", ["status"]), ("run --jobs ", []),
      ("run --only App", ["Appearance"]), ("run --only Appearance,Ini", ["InitializeThirdParties"]),
    ]
    let tool = try ToolProcess().with(expected.map(\.line)).file("commands.json", Self.manifest)
      .script(#"PATH="${0%/*}:$PATH" exec zsh -f -c "$SCRIPT" "$0" "$@""#)
      .environment("SCRIPT", Self.zshSession)
    let lines = try tool.run().output.split(separator: "\n").map(String.init)
    #expect(lines == expected.flatMap { ["> \($0.line)"] + $0.offers })
  }

  #if os(Linux)
  /// Ids that a shell must quote, by their first letter.
  private static let hostile = [
    "t": "two words", "i": #"it's "quoted""#, "c": "c$(touch PWNED)", "b": "b`touch PWNED`",
    "s": "s;touch PWNED",
    "n": "new\nline", "g": "glob*[a-z]?", "v": "v$HOME~",
  ]

  /// Shells that read their keys from a terminal, with the script that starts each.
  private static let shells = [
    "bash": #"""
    printf '%s\n' "PS1='READY> '; bind 'set enable-bracketed-paste off'" "$(appboot completions bash)" > rc
    exec bash --noprofile --rcfile rc -i
    """#,
    "zsh": #"""
    printf '%s\n' 'autoload -Uz compinit; compinit -u -D; unsetopt promptsp' "PS1='READY> '" \
      'source <(appboot completions zsh)' > .zshrc
    ZDOTDIR=$PWD exec zsh -d -i
    """#,
    "fish": #"""
    exec fish --no-config -i -C 'appboot completions fish | source; function fish_prompt; echo "READY> "; end'
    """#,
  ]

  @Test(
    "TAB inserts an id as one quoted word, and runs neither the id nor the program that was typed",
    arguments: shells.keys.sorted())
  func typed(shell: String) throws {
    guard Self.has(shell) else { return }
    let terminal = try PseudoTerminal()
    let entries = Self.hostile.values.sorted().map { #"{ "command": "Appearance", "id": \#(quoted($0)) }"# }
    let session = #"stty rows 40 cols 200; PATH="${0%/*}:$PATH"; eval "$START""#
    let tool = try ToolProcess().manifest("[\(entries.joined(separator: ","))]")
      .file("appboot", "#!/bin/sh\ntouch PWNED\n").environment("TTY", terminal.path)
      .environment("SESSION", session).environment("START", Self.shells[shell] ?? "")
      .script(
        #"chmod +x appboot; HOME=$PWD exec setsid --wait --ctty sh -c "$SESSION" "$0" <"$TTY" >"$TTY" 2>&1"#)
    let running = try tool.start()
    for program in ["appboot", "./appboot"] {
      for (letter, id) in Self.hostile.sorted(by: { $0.key < $1.key }) {
        #expect(terminal.wait(for: "READY> "), "\(shell): \(terminal.text)")
        terminal.type("\(program) run --only \(letter)\t")
        terminal.typeControl("a")
        terminal.type(#"printf '<%s>\n' "# + "\r")
        #expect(terminal.wait(for: "<--only>\r\n"), "\(shell): \(terminal.text)")
        let word = VisibleText.of(id)
        #expect(terminal.wait(for: ">\r\n", after: "<" + word), "\(shell), \(word): \(terminal.text)")
      }
    }
    #expect(terminal.wait(for: "READY> "))
    terminal.type("exit\r")
    _ = try running.finish()
    #expect(!FileSystem.exists(tool.directory.file("PWNED")))
  }

  private func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.value(text)
    return writer.text
  }
  #endif

  @Test("A missing or unknown shell is an error that names the shells")
  func mistakes() throws {
    let unknown = try ToolProcess("completions", "bsh").run()
    #expect(unknown.status == 2 && unknown.errors.contains("did you mean \"bash\"?"))
    let none = try ToolProcess("completions").run()
    #expect(none.status == 2 && none.errors.contains("completions needs an argument: SHELL"))
  }
}
