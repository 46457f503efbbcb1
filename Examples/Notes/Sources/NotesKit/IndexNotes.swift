public import AppBoot

/// Which notes a word stands in, by the notes' places in the notebook.
public struct WordIndex: Sendable, Hashable {
  /// The notes' places, ascending, by word.
  public let places: [String: [Int]]

  /// Indexes every word that the filter lets through.
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

  /// One line a word: the word and the places.
  var text: String {
    places.sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value.map(String.init).joined(separator: " "))\n" }.joined()
  }
}

extension ContextKey where Value == WordIndex {
  /// The index that `IndexNotes` built.
  public static var wordIndex: Self { Self("wordIndex") }
}

extension ContextKey where Value == [UInt8] {
  /// What was in the index file before: what an undo puts back.
  fileprivate static var indexBefore: Self { Self("indexBefore") }
}

/// Builds the index of words beside the main lane, and keeps it in the state.
public struct IndexNotes: UndoableCommand {
  /// What the command does, in one sentence.
  public static let abstract = "Builds the index of the words in the notes, and keeps it in the state."

  /// A worker thread: nobody waits for the index to see the first screen.
  public static let lane = Lane.background

  /// The names of the context values that it provides.
  public static let provides = [ContextKey<WordIndex>.wordIndex.name]

  /// The file's name in the state directory.
  @Parameter("The file's name in the state directory.")
  public var file = "index.txt"

  /// Creates the command with its defaults.
  public init() {}

  /// Builds the index and keeps it.
  ///
  /// - Throws: `MissingContextValue` before the notes are open; what the state throws.
  public func execute(in context: LaunchContext) throws {
    let notebook = try context.require(.notebook)
    let index = context.measure("words") { WordIndex(of: notebook, words: WordFilter.lets) }
    try context.checkCancellation()
    context.provide(try context.state.read(file) ?? [], for: .indexBefore)
    try context.measure("write") { try context.state.write(file, Array(index.text.utf8)) }
    context.provide(index, for: .wordIndex)
    context.note("\(index.places.count) words")
  }

  /// Puts the index back that was there before.
  ///
  /// - Throws: What the state throws.
  public func undo(in context: LaunchContext) throws {
    try context.state.write(file, context.value(for: .indexBefore) ?? [])
  }
}
