import AppBootBase

/// A namespace for functions that name the state of a manifest. Several manifests can thus share a state directory.
///
/// State of `commands.json`, and of a launch without a file, has the name without a suffix.
package enum ManifestScope {
  /// Returns the name of a manifest's state, for example `launches` or `launches-ci.json`.
  package static func name(_ state: String, of manifest: String?) -> String {
    guard let file = key(of: manifest) else { return state }
    if isPlain(file), file.utf8.count <= 80 { return "\(state)-\(file)" }
    var hash = FNV1a()
    hash.add(file.utf8)
    return "\(state)-\(String(hash.value, radix: 16))"
  }

  /// Returns whether a name has only letters, digits, `-`, `.` and `_`, as a state store allows.
  package static func isPlain(_ name: String) -> Bool {
    name.utf8.allSatisfy { $0.isWord || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
  }

  /// Returns whether two manifests have the same state, because their files have the same name.
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
