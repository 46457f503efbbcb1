import AppBoot
import AppBootSystem

/// A file that a result is written to; checked before the work, written whole after it.
struct ResultFile: Sendable {
  let path: String

  /// Finds out that it can be written before anything is done for it.
  init(_ path: String) throws(SystemError) {
    try FileSystem.checkWritable(path)
    self.path = path
  }

  /// The file that an option names, if it does.
  init?(_ option: OptionDeclaration, of arguments: ParsedArguments) throws(SystemError) {
    guard let path = arguments.text(option) else { return nil }
    try self.init(path)
  }

  /// Refuses options that name one file, or one that is read: one text would take the other's place.
  ///
  /// - Throws: ``UsageError/sameFile(_:_:)``.
  static func checkApart(
    _ files: [(option: OptionDeclaration, file: ResultFile?)], from inputs: [(path: String, name: String)]
  ) throws(UsageError) {
    var names = inputs.filter { $0.path != "-" }.map { (place: place(of: $0.path), name: $0.name) }
    for (option, file) in files {
      // A device such as /dev/null takes any number of texts.
      guard let file, [nil, .regular].contains(FileSystem.kind(of: file.path)) else { continue }
      let place = place(of: file.path)
      if let other = names.first(where: { $0.place == place }) {
        throw .sameFile("--\(option.name)", other.name)
      }
      names.append((place, "--\(option.name)"))
    }
  }

  /// The one path of a file that may not be there yet.
  private static func place(of path: String) -> String {
    if let place = FileSystem.resolve(path) { return place }
    let directory = FileSystem.directory(of: path)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return FileSystem.join(FileSystem.resolve(directory) ?? directory, name)
  }

  /// Replaces what it holds; a reader sees the old text or the new one.
  func write(_ text: String) throws(SystemError) {
    try FileSystem.writeFile(atomically: Array(text.utf8), to: path)
  }

  /// Writes each text to its file, whatever becomes of the others; the answer is what went wrong.
  static func write(_ texts: [(file: ResultFile?, text: () -> String)]) -> [SystemError] {
    texts.compactMap { file, text in
      do throws(SystemError) {
        try file?.write(text())
        return nil
      } catch {
        return error
      }
    }
  }
}
