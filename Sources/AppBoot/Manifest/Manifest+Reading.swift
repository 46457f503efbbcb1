import AppBootBase

extension Manifest {
  /// Reads a manifest from a file. The path `-` is standard input.
  ///
  /// - Throws: ``ManifestUnreadable`` if the file cannot be read; ``PlanError`` if it is not JSON.
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

/// An error that reports that the file of a manifest cannot be read.
public struct ManifestUnreadable: Error, Sendable, Hashable, CustomStringConvertible {
  /// The path of the file.
  public let path: String
  /// The system's message, which names the file.
  public let reason: String
  /// True if the file does not exist.
  public let isMissing: Bool

  /// The same text as ``reason``.
  public var description: String { reason }
}
