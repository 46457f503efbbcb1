import AppBootSystem

extension Manifest {
  /// Reads a manifest's file; `-` is standard input.
  ///
  /// - Throws: ``ManifestUnreadable``, or ``ManifestError`` where the file is not JSON.
  public init(reading path: String) throws {
    let bytes: [UInt8]
    do {
      bytes = try path == "-" ? FileSystem.readStandardInput() : FileSystem.readFile(path)
    } catch {
      throw ManifestUnreadable(path: path, reason: error.description)
    }
    try self.init(parsing: SourceText(name: path == "-" ? SourceText.standardInput : path, bytes: bytes))
  }
}

/// A manifest's file that cannot be read.
public struct ManifestUnreadable: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file.
  public let path: String
  /// What the system said.
  public let reason: String

  /// Which file, and why.
  public var description: String { reason }
}
