import AppBootLibC

/// A pattern for paths below a directory, as in git's `:(glob)`: fnmatch(3) for each component, and `**` for any number
/// of directories.
///
/// A pattern without special characters that names a directory matches everything in it.
package struct GlobPattern: Sendable, Hashable {
  private let components: [String]
  private let isLiteral: Bool

  /// Creates a pattern. A slash at its end and components `.` have no effect.
  package init(_ text: String) {
    components = text.split(separator: "/").map(String.init).filter { $0 != "." }
    isLiteral = !text.utf8.contains { "*?[\\".utf8.contains($0) }
  }

  /// Returns the pattern that matches only a path.
  package static func literal(_ path: String) -> String {
    String(path.flatMap { "*?[\\".contains($0) ? ["\\", $0] : [$0] })
  }

  /// Returns whether the pattern matches a path, which has no slash at its end.
  package func matches(_ path: String) -> Bool { matches(path.split(separator: "/").map(String.init)) }

  func matches(_ path: [String]) -> Bool {
    if isLiteral { return path.starts(with: components) }
    // `star` is the last `**`, and how much of the path it has matched so far.
    var (place, index, star) = (0, 0, (place: Int, index: Int)?.none)
    while index < path.count {
      if place < components.count, components[place] == "**" {
        // At the end it matches what is inside of a directory, and not the directory itself.
        if place == components.count - 1 { return true }
        star = (place, index)
        place += 1
      } else if place < components.count, Self.match(components[place], path[index]) {
        (place, index) = (place + 1, index + 1)
      } else if let last = star {
        star = (last.place, last.index + 1)
        (place, index) = (last.place + 1, last.index + 1)
      } else {
        return false
      }
    }
    return place == components.count
  }

  /// Returns whether the pattern can match a path in a directory.
  func mayMatch(in directory: [String]) -> Bool {
    for (index, name) in directory.enumerated() {
      guard index < components.count else { return isLiteral }
      if components[index] == "**" { return true }
      guard Self.match(components[index], name) else { return false }
    }
    return directory.count < components.count || isLiteral
  }

  private static func match(_ pattern: String, _ name: String) -> Bool { fnmatch(pattern, name, 0) == 0 }
}

/// The files of a directory that some patterns select, and others leave out.
package struct FileSelection: Sendable {
  private let files: [GlobPattern]
  private let ignored: [GlobPattern]

  /// Creates a selection.
  ///
  /// - Parameter ignored: Patterns of files and directories to leave out. One without a slash applies everywhere.
  package init(_ files: [String], ignoring ignored: [String] = []) {
    self.files = files.map { GlobPattern($0) }
    self.ignored = ignored.map { pattern in
      let isName = !pattern.utf8.dropLast().contains(UInt8(ascii: "/"))
      return GlobPattern(isName ? "**/" + pattern : pattern)
    }
  }

  /// Returns whether a path below the directory is selected.
  package func contains(_ path: String) -> Bool {
    let path = path.split(separator: "/").map(String.init)
    return files.contains { $0.matches(path) } && !isIgnored(path)
  }

  /// Returns whether selected paths can be in a directory, which is empty for the directory itself.
  func mayContain(in directory: String) -> Bool {
    let directory = directory.split(separator: "/").map(String.init)
    return files.contains { $0.mayMatch(in: directory) } && !isIgnored(directory)
  }

  private func isIgnored(_ path: [String]) -> Bool {
    path.indices.contains { end in ignored.contains { $0.matches(Array(path[...end])) } }
  }
}
