import AppBootSystem

extension Manifest {
  /// Reads a manifest's file; `-` is standard input.
  ///
  /// - Throws: ``ManifestUnreadable``; ``ManifestError`` if the file is not JSON.
  package init(reading path: String) throws {
    let bytes: [UInt8]
    do {
      bytes = try path == "-" ? FileSystem.readStandardInput() : FileSystem.readFile(path)
    } catch {
      throw ManifestUnreadable(path: path, reason: error.description, isMissing: error.isNotFound)
    }
    try self.init(parsing: SourceText(name: path == "-" ? SourceText.standardInput : path, bytes: bytes))
  }
}

/// A manifest's file that cannot be read.
package struct ManifestUnreadable: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  package let path: String
  /// The system's message.
  package let reason: String
  /// True if the file does not exist.
  package let isMissing: Bool

  /// The system's message, which names the file.
  package var description: String { reason }
}
