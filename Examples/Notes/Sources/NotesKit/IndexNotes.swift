public import AppBoot

/// An index from words to notes, by the notes' positions in the notebook.
public struct WordIndex: Sendable, Hashable {
  /// The positions of the notes that contain a word, ascending.
  public let places: [String: [Int]]

  /// Indexes every word that the filter accepts.
  public init(of notebook: Notebook, words isWanted: (String) -> Bool) {
    var places: [String: [Int]] = [:]
    for (place, note) in notebook.notes.enumerated() {
      let text = (note.title + "\n" + note.text).lowercased()
      for word in Set(text.split { !$0.isLetter && !$0.isNumber }.map(String.init)) where isWanted(word) {
        places[word, default: []].append(place)
      }
    }
    self.places = places
  }

  /// The index as text, a line for each word: the word and the positions.
  var text: String {
    places.sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value.map(String.init).joined(separator: " "))\n" }.joined()
  }
}

extension ContextKey<WordIndex> {
  /// The index that `IndexNotes` built.
  public static var wordIndex: Self { Self("wordIndex") }
}

extension ContextKey where Value == [UInt8] {
  /// The content of the index file before the launch, which an undo restores.
  fileprivate static var indexBefore: Self { Self("indexBefore") }
}

/// Builds the index of words in the background, and saves it in the state.
public struct IndexNotes: UndoableCommand {
  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Builds the index of the words in the notes and saves it in the state.",
    provides: .wordIndex,
    requires: .notebook)

  /// The file's name in the state directory.
  @Parameter("The file's name in the state directory.")
  public var file = "index.txt"

  /// Creates the command with its defaults.
  public init() {}

  /// Builds the index and saves it.
  ///
  /// - Throws: `ContextValueError` before the notes are open; errors of the state.
  public func execute(in context: LaunchContext) throws {
    let notebook = try context.require(.notebook)
    let index = context.measure("words") { WordIndex(of: notebook, words: WordFilter.lets) }
    try context.checkCancellation()
    context.provide(try context.state.read(file) ?? [], for: .indexBefore)
    try context.measure("write") { try context.state.write(file, Array(index.text.utf8)) }
    context.provide(index, for: .wordIndex)
    context.note("\(index.places.count) words")
  }

  /// Restores the earlier index.
  ///
  /// - Throws: Errors of the state.
  public func undo(in context: LaunchContext) throws {
    try context.state.write(file, context.value(for: .indexBefore) ?? [])
  }
}
