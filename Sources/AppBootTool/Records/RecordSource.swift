import AppBoot
import AppBootRecords
import AppBootSystem

/// The records that an argument SOURCE selects: those of a file, of standard input, of a directory, or of a manifest.
struct RecordSource {
  /// The path of a file or directory; `-` for standard input.
  let path: String
  /// The manifest whose launches are selected; `nil` for those of all manifests.
  private(set) var manifest: String?

  /// Reads the first argument and `--state`.
  ///
  /// - Throws: ``UsageError/conflict(_:_:)``; ``ToolError`` if the state directory does not exist.
  init(_ arguments: ParsedArguments) throws {
    guard let operand = arguments.operands.first else {
      path = arguments.text(.state) ?? LaunchRequest.stateDirectory(arguments, manifest: "-")
      try requireDirectory()
      return
    }
    if StateSource.isManifest(operand) {
      (path, manifest) = (LaunchRequest.stateDirectory(arguments, manifest: operand), operand)
      try requireDirectory()
      return
    }
    if arguments.isSet(.state) { throw UsageError.conflict("SOURCE", OptionDeclaration.state.spelling) }
    path = StateSource.stateDirectory(at: operand) ?? operand
  }

  /// Returns whether the source has the launch of a record that is in its directory.
  func has(_ record: StartupRecord) -> Bool {
    manifest.map { ManifestScope.isSame(record.outline.manifestName, $0) } ?? true
  }

  private func requireDirectory() throws(ToolError) {
    guard FileSystem.exists(path) else { throw RecordSets.noLaunch(of: path, manifest) }
  }
}

extension Operand {
  /// The declaration of an argument that selects records.
  static var records: Operand {
    Operand(
      name: "SOURCE",
      help: "A manifest, a state directory, or records; - reads standard input. Default: the state directory."
    )
  }
}
