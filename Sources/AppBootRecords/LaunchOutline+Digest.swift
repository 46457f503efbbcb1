public import AppBoot

extension LaunchOutline {
  /// The SHA-256 of the manifest and of the files that it includes, as `sha256:` and 64 hexadecimal digits.
  ///
  /// It is `nil` if there is no manifest, or if a record does not have it. Takes O(n) in the length of the files.
  public var manifestDigest: String? {
    guard let text = manifest?.text else { return manifest?.storedDigest }
    return "sha256:\(SHA256.hexadecimal(of: text.included.reduce(into: text.bytes) { $0 += [0] + $1.bytes }))"
  }
}
