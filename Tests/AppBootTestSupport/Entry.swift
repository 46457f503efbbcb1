import AppBoot

/// Entries of a manifest that run a process.
///
/// The parameter `members` has more members of an entry, and `with` more of its parameters.
package enum Entry {
  /// Returns an entry that runs a program.
  package static func program(
    _ arguments: [String], id: String, _ members: String = "", with: String = "",
    command: String = "RunProcess"
  ) -> String {
    let parameters = [#""arguments": [\#(arguments.map(json).joined(separator: ", "))]"#, with]
    let parts = [
      #""command": "\#(command)", "id": "\#(id)""#, #""with": { \#(list(parameters)) }"#, members,
    ]
    return "{ \(list(parts)) }"
  }

  /// Returns an entry that runs a shell script.
  package static func shell(_ script: String, id: String, _ members: String = "", with: String = "") -> String
  {
    program(["sh", "-c", script], id: id, members, with: with)
  }

  /// Returns an entry of a service that runs a shell script and is ready when it prints "up".
  package static func service(_ script: String, id: String, _ members: String = "", with: String = "")
    -> String
  {
    let ready = #""ready": { "output": "^up" }"#
    return program(["sh", "-c", script], id: id, members, with: list([ready, with]), command: "RunService")
  }

  /// Returns a text as JSON.
  package static func json(_ text: String) -> String {
    var writer = JSONWriter()
    writer.value(text)
    return writer.text
  }

  private static func list(_ members: [String]) -> String {
    members.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}
