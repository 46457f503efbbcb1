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
public struct ManifestUnreadable: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// The system's message.
  public let reason: String
  /// True if the file does not exist.
  public let isMissing: Bool

  /// The system's message, which names the file.
  public var description: String { reason }
}
