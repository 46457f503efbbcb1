import AppBoot

/// A command that opens the user's notes. The first launch of a real app would create a database here.
struct OpenNotes: Command {
  static let options = CommandOptions(abstract: "Opens the notes.", provides: .notes)
  func execute(in context: LaunchContext) throws {
    context.provide(3, for: .notes)
    context.note("3 notes")
  }
}

extension ContextKey<Int> {
  /// The number of notes.
  static var notes: Self { Self("notes") }
}
