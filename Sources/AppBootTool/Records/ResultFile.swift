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
