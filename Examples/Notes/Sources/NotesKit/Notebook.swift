/// The notes of the app, as `notes.txt` holds them: a title line that begins with `# `, then text.
public struct Notebook: Sendable, Hashable, CustomStringConvertible {
  /// A note.
  public struct Note: Sendable, Hashable {
    /// The line after the `# `.
    public let title: String
    /// The lines below it.
    public let text: String
  }

  /// The notes in the order of the file.
  public let notes: [Note]

  /// Reads the text of a file; lines above the first title belong to no note.
  public init(parsing text: String) {
    var notes: [(title: String, lines: [Substring])] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("# ") {
        notes.append((String(line.dropFirst(2)), []))
      } else if !notes.isEmpty {
        notes[notes.count - 1].lines.append(line)
      }
    }
    self.notes = notes.map { Note(title: $0.title, text: $0.lines.joined(separator: "\n")) }
  }

  /// The titles, one per line, as a screen shows them for `{context.notebook}`.
  public var description: String { notes.map { "· \($0.title)" }.joined(separator: "\n") }

  /// The notes of a first launch.
  static let welcome = """
    # Groceries
    Bread, tea and apples.

    # Ideas for the garden
    An apple tree behind the shed.

    """
}
