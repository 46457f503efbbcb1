import AppBootSystem
import Testing
import AppBootTestSupport

/// A program named `curl` in a folder of its own, which stores its arguments and its standard input, and answers 200 or
/// as a script does.
struct FakeCurl {
  /// False for root, for whom curl is not looked up in PATH.
  static let isUsable = !ProgramSearch.isPrivileged

  private let directory: TemporaryDirectory

  init(answer: String = "printf '\\nappboot-status: 200\\n'") throws {
    directory = try TemporaryDirectory()
    let script = """
      #!/bin/sh
      cd "${0%/*}" && echo "$0" "$@" > arguments && cat > configuration && \(answer)
      """
    try directory.write("curl", script, mode: 0o755)
  }

  /// The variable PATH with this program in front.
  var searchPath: String { directory.path + ":/usr/bin:/bin" }

  /// The configuration that it received. The arguments must name no more than its source.
  func configuration() throws -> String {
    let arguments = String(decoding: try FileSystem.readFile(directory.file("arguments")), as: UTF8.self)
    #expect(arguments == directory.file("curl") + " --disable --config -\n")
    return String(decoding: try FileSystem.readFile(directory.file("configuration")), as: UTF8.self)
  }
}
