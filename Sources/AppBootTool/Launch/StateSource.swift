import AppBoot
import AppBootRecords
import AppBootSystem

/// The state that an argument SOURCE selects: that of a manifest, or a state directory.
struct StateSource {
  /// The path of the state directory.
  let directory: String
  /// The path of the manifest in the arguments; `nil` if they name a directory or nothing.
  let manifest: String?

  /// Creates the source of a state directory, whatever its manifest.
  init(directory: String) { (self.directory, manifest) = (directory, nil) }

  /// Reads the argument at an index, and `--state`.
  ///
  /// - Throws: ``UsageError/conflict(_:_:)`` if both name a directory.
  init(_ arguments: ParsedArguments, at place: Int = 0) throws(UsageError) {
    let path = arguments.operands.dropFirst(place).first
    guard let path, let directory = Self.stateDirectory(at: path) else {
      manifest = path
      self.directory = LaunchRequest.stateDirectory(arguments, manifest: arguments.manifest(at: place))
      return
    }
    if arguments.isSet(.state) { throw .conflict("SOURCE", Option<String>.state.spelling) }
    (manifest, self.directory) = (nil, directory)
  }

  /// Returns the state directory at a path or in the directory at the path; `nil` if the path is not a directory.
  static func stateDirectory(at path: String) -> String? {
    guard path != "-", FileSystem.isDirectory(path) else { return nil }
    let inner = FileSystem.join(path, ".appboot")
    if FileSystem.isDirectory(inner) { return inner }
    let manifest = FileSystem.join(path, ParsedArguments.defaultManifest(in: path))
    guard !RecordArchive.isState(path), FileSystem.exists(manifest) else { return path }
    return LaunchRequest.defaultState(besides: manifest)
  }

  /// Returns whether a path is that of a manifest or a state directory. A folder can have the name of a step.
  static func isState(_ path: String) -> Bool {
    stateDirectory(at: path).map(RecordArchive.isState) ?? isManifest(path)
  }

  /// Returns whether a file is a manifest. A pipe is not read, because it cannot be read again.
  static func isManifest(_ path: String) -> Bool {
    guard path != "-", let kind = FileSystem.kind(of: path), [.regular, .link].contains(kind),
      let bytes = try? FileSystem.readRegularFile(path),
      let root = try? JSONDocument(parsing: SourceText(name: path, bytes: bytes)).root
    else { return false }
    return root["format"] == nil && Manifest.hasEntries(root)
  }
}

extension Operand {
  /// The declaration of an argument that selects a state.
  static var source: Operand {
    Operand(
      name: "SOURCE",
      help:
        "The manifest, or its state directory. Default: commands.json, here or in the nearest directory above."
    )
  }
}

extension Manifest {
  /// Returns whether a document has the entries of a manifest, or includes files that have them.
  static func hasEntries(_ root: JSONValue) -> Bool { (root["commands"] ?? root["include"]) != nil }
}
