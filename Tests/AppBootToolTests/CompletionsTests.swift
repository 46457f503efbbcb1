import AppBootSystem
import Testing

@Suite("completions")
struct CompletionsTests {
  private static func has(_ program: String) -> Bool {
    ["/bin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"].contains {
      FileSystem.exists(FileSystem.join($0, program))
    }
  }

  /// What bash offers for the last word.
  private func bash(_ words: String...) throws -> [String] {
    let script = """
      source /dev/stdin <<< "$("$0" completions bash)"
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _appboot; printf '%s\\n' "${COMPREPLY[@]}"
      """
    let tool = try CommandLineTool("appboot").with(words).script(#"exec bash -c "$SCRIPT" "$0" "$@""#)
      .environment("SCRIPT", script).file("commands.json", "{}").file("notes.txt", "")
      .file("[mn]otes.txt", "")
    return try tool.run().output.split(separator: "\n").map(String.init)
  }

  @Test("complete in bash what the tool takes", .enabled(if: has("bash")))
  func inBash() throws {
    #expect(try bash("em") == ["emit"])
    #expect(try bash("run", "--forma") == ["--format"])
    #expect(try bash("run", "--format", "js") == ["json", "jsonl"])
    #expect(try bash("run", "--format", "=", "t") == ["text"])
    #expect(try bash("emit", "openU") == ["openURL"])
    #expect(try bash("emit", "--url", "a:b", "openU") == ["openURL"])
    #expect(try bash("emit", "openURL", "comm") == ["commands.json"])
    #expect(try bash("run", "--only", "x", "comm") == ["commands.json"])
    #expect(try bash("completions", "") == ["bash", "zsh", "fish"])
    #expect(try bash("commands", "InitialS") == ["InitialScreen"])
    #expect(try bash("help", "sta") == ["status"])
    #expect(try bash("run", "--stay", "--col") == ["--color"])
    #expect(try bash("run", "--jobs", "") == [])
    #expect(try bash("emit", "--format", "=", "json", "openU") == ["openURL"])
    #expect(try bash("emit", "--url", "a", ":", "b", "openU") == ["openURL"])
    // A name that is a pattern as well stands for itself.
    #expect(try bash("run", "[m") == ["[mn]otes.txt"])
  }

  @Test("complete in fish what the tool takes", .enabled(if: has("fish")))
  func inFish() throws {
    let script = #"""
      source ($argv[1] completions fish | psub)
      for line in 'em' 'run --format j' 'emit openU' 'completions z' 'run --sta' 'status --format '
        complete -C "appboot $line" | string replace -r '\t.*' ''
      end
      """#
    let tool = try CommandLineTool().script(#"exec fish --no-config -c "$SCRIPT" -- "$0""#)
      .environment("SCRIPT", script).environment("HOME", "/tmp")
    let offered = try tool.run().output.split(separator: "\n").map(String.init)
    #expect(
      offered == ["emit", "json", "jsonl", "openURL", "zsh", "--state", "--stay", "json", "text"])
  }

  @Test("complete in zsh what the tool takes", .enabled(if: has("zsh")))
  func inZsh() throws {
    // _arguments is replaced by one that prints what it is given for the subcommand.
    let script = #"""
      compdef() { registered=$1 }
      _describe() { print -l -- $subcommands }
      _arguments() {
        if [[ $1 = -C ]]; then
          if [[ -z $chosen ]]; then state=subcommand; else state=arguments; line=($chosen); fi
        else print -rl -- "$@"; fi
      }
      source <($0 completions zsh)
      print "registered $registered"
      _appboot; chosen=emit; _appboot
      """#
    let tool = try CommandLineTool().script(#"exec zsh -f -c "$SCRIPT" "$0""#).environment("SCRIPT", script)
    let lines = try tool.run().output.split(separator: "\n").map(String.init)
    #expect(lines.first == "registered _appboot")
    #expect(lines.contains { $0.hasPrefix("emit:Tells an app that stays") })
    #expect(lines.contains { $0.hasPrefix("*--payload=[What comes with the event") })
    #expect(lines.contains { $0.hasPrefix("1:argument:(didFinishLaunching ") })
    #expect(lines.contains("2:argument:_files"))
  }

  @Test("say which shells there are")
  func mistakes() throws {
    let unknown = try CommandLineTool("completions", "bsh").run()
    #expect(unknown.status == 2 && unknown.errors.contains("did you mean \"bash\"?"))
    let none = try CommandLineTool("completions").run()
    #expect(none.status == 2 && none.errors.contains("completions needs an argument: SHELL"))
  }
}
