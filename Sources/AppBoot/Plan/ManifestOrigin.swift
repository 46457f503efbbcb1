/// Which manifest a plan was made from, and where in it each step stands.
///
/// A plan that was read back from a record has no manifest's text; the record keeps this of it.
struct ManifestOrigin: Sendable, Hashable {
  var path: String
  var digest: String?
  var locations: [SourceLocation?]
}

extension StartupPlan {
  /// The manifest's name, which is its path where it is a file; `nil` for a plan made in code.
  public var manifestName: String? { source?.name ?? origin?.path }

  /// The manifest's SHA-256, as `sha256:` and 64 hexadecimal digits; linear in the manifest's length.
  public var manifestDigest: String? {
    source.map { "sha256:\(SHA256.hexadecimal(of: $0.bytes))" } ?? origin?.digest
  }

  /// Where each step's command stands in the manifest, by index; linear in the manifest's length.
  public func locations() -> [SourceLocation?] {
    if let origin { return origin.locations }
    guard let source else { return [SourceLocation?](repeating: nil, count: count) }
    let lines = SourceLines(source)
    return steps.map { step in step.range.map { lines.location(of: Int($0.start)) } }
  }
}
