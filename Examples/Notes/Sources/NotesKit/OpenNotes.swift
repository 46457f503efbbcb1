public import AppBoot

extension ContextKey<Notebook> {
  /// The notes that `OpenNotes` read.
  public static var notebook: Self { Self("notebook") }
}

/// Reads the notes from the state and provides them to later commands.
public struct OpenNotes: Command {
  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Reads the notes and provides them to later commands.",
    provides: .notebook)

  /// The file's name in the state directory.
  @Parameter("The file's name in the state directory; a first launch writes a small one to begin with.")
  public var file = "notes.txt"

  /// Creates the command with its defaults.
  public init() {}

  /// Reads the notes.
  ///
  /// - Throws: Errors of the state.
  public func execute(in context: LaunchContext) throws {
    let bytes = try context.state.read(file)
    if bytes == nil { try context.state.write(file, Array(Notebook.welcome.utf8)) }
    let text = bytes.map { String(decoding: $0, as: UTF8.self) } ?? Notebook.welcome
    let notebook = Notebook(parsing: text)
    context.provide(notebook, for: .notebook)
    context.note("\(notebook.notes.count) notes" + (bytes == nil ? ", new" : ""))
  }
}
