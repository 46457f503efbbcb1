import AppBootBase

/// The files of a manifest while the manifest is read.
struct ManifestFiles {
  /// The maximum number of files that a manifest can include.
  static let limit = 1000

  /// The manifest's text, with the texts of the files that were included so far.
  private(set) var source: SourceText
  /// The places of the first `include` of each file, by the file's path; `nil` for the manifest itself.
  ///
  /// It is empty until the first `include`: a manifest without includes must not resolve its path.
  private var known: [String: SourceRange?] = [:]
  /// The names of the files that are being read. Each file is included by the one before it.
  private var chain: [String]

  init(_ source: SourceText) {
    self.source = source
    chain = [source.name]
  }

  private static func path(of name: String) -> String { FileSystem.resolve(name) ?? name }

  /// Starts reading an included file. Returns an error if the file was included before, or if there are too many files.
  mutating func begin(_ name: String, at range: SourceRange) -> Diagnostic? {
    if known.isEmpty { known = [Self.path(of: source.name): nil] }
    let path = Self.path(of: name)
    if let first = known[path] {
      if let start = chain.firstIndex(where: { Self.path(of: $0) == path }) {
        let cycle = (chain[start...] + [chain[start]]).joined(separator: " → ")
        let message =
          start == chain.count - 1 ? "this file includes itself" : "these files include each other: \(cycle)"
        return .error(message, at: range, help: "remove it from this \"include\"")
      }
      let problem = Diagnostic.error(
        "\"\(name.excerpt)\" is included twice", at: range, help: "remove it from one \"include\"")
      return first.map { problem.noting("the first time", at: $0) } ?? problem
    }
    guard source.included.count < Self.limit else {
      return .error("more than \(Self.limit) files are included", at: range)
    }
    known[path] = range
    chain.append(name)
    return nil
  }

  /// Adds the text of an included file. Returns the offset of the file's first byte in a ``SourceRange``.
  mutating func add(_ text: SourceText) -> Int {
    let start = source.nextStart
    source.included.append(text)
    return start
  }

  /// Finishes reading the file that was started last.
  mutating func end() { chain.removeLast() }
}

extension ManifestReader {
  /// Reads an included file. Its entries are placed before those of this file, and after those of files included
  /// earlier.
  mutating func include(_ path: String, at range: SourceRange, _ files: inout ManifestFiles) {
    let name = FileSystem.path(path, beside: document.source.name)
    if let problem = files.begin(name, at: range) { return reader.problems.append(problem) }
    defer { files.end() }
    do throws(SystemError) {
      let text = SourceText(name: name, bytes: try FileSystem.readFile(name, waitsForPipe: false))
      let start = files.add(text)
      do throws(JSONError) {
        merge(try Manifest(parsing: text, from: start, &files))
      } catch {
        reader.problems.append(contentsOf: error.diagnostics)
      }
    } catch {
      report(
        "\"\(path.excerpt)\" cannot be read: \(error.reason)", range,
        help: "a path in \"include\" is relative to the directory of its own file")
    }
  }

  private mutating func merge(_ other: Manifest) {
    manifest.commands += other.commands
    for event in other.events { add(event) }
    manifest.variables.merge(other.variables) { $1 }
    manifest.missingFiles += other.missingFiles
    manifest.defaults += other.defaults
    manifest.unknownValues += other.unknownValues
    // A variable is secret if the rules of any file match.
    manifest.secretRules.listed += other.secretRules.listed
    manifest.secretRules.patterns += other.secretRules.patterns
    reader.problems.append(contentsOf: other.problems)
  }

  /// Adds the handlers of an event after those that included files have for it.
  mutating func add(_ event: ManifestEvent) {
    if let place = manifest.events.firstIndex(where: { $0.name == event.name }) {
      manifest.events[place].entries += event.entries
    } else {
      manifest.events.append(event)
    }
  }
}
