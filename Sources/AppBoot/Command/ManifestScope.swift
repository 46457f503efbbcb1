import AppBootSystem

/// The names of the states that each manifest has for itself, if several of one folder share a state directory.
///
/// The states of `commands.json`, and of a launch without a file, have the plain names.
package enum ManifestScope {
  /// Returns the name of a manifest's state: `launches`, or `launches-ci.json`.
  static func name(_ state: String, of manifest: String?) -> String {
    guard let file = key(of: manifest) else { return state }
    if DirectoryStateStore.isPlain(file), file.utf8.count <= 80 { return "\(state)-\(file)" }
    return "\(state)-\(SHA256.hexadecimal(of: Array(file.utf8)).prefix(16))"
  }

  /// Returns true if two manifests have the same states: their files have the same name.
  package static func isSame(_ manifest: String?, _ other: String?) -> Bool {
    key(of: manifest) == key(of: other)
  }

  /// Returns the name of a manifest's file; `nil` for `commands.json`, and for a launch without a file.
  private static func key(of manifest: String?) -> String? {
    guard let manifest, manifest != SourceText.standardInput, manifest != "-" else { return nil }
    let file = FileSystem.lastComponent(manifest)
    return file == "commands.json" ? nil : file
  }
}
