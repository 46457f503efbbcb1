/// Shell scripts of steps that kill the tool when its journal has their start.
///
/// The tool waits at most 100 ms for the journal before it starts a program. A busy machine may need longer.
enum Crash {
  /// The script of a handler of an event.
  static let handler = script(when: #""kind":"handlersStarted""#, isIn: ".appboot/records/*.jsonl")

  /// Returns the script of a step of a launch.
  static func script(ofStep id: String) -> String {
    script(when: #""kind":"started","at":[0-9]*,"step":"\#(id)""#, isIn: ".appboot/journal.jsonl")
  }

  /// Returns a script that waits at most a minute for a line in the files.
  private static func script(when pattern: String, isIn files: String) -> String {
    let isReady = "grep -qs '\(pattern)' \(files)"
    return "i=0; until \(isReady) || [ $i = 6000 ]; do i=$((i+1)); sleep 0.01; done; kill -9 $PPID"
  }
}
