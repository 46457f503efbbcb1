import AppBootLibC
import AppBootTestSupport
import Testing

@testable import AppBootSystem

@Suite("GlobPattern", .ownThread)
struct GlobPatternTests {
  @Test(
    "A pattern matches whole paths",
    arguments: [
      ("src/**/*.ts", "src/a.ts", true), ("src/**/*.ts", "src/x/y/a.ts", true),
      ("src/**/*.ts", "a.ts", false),
      ("src/*.ts", "src/x/a.ts", false), ("**/*.ts", "a.ts", true), ("src/**", "src/x/a", true),
      ("src/**", "src", false), ("src", "src/x/a", true), ("src/", "src/a", true), ("s?c", "src/a", false),
      ("**/test/**", "a/test/b", true), ("a**b", "axb", true), ("a**b", "a/b", false),
      ("[ab].c", "b.c", true),
      ("./src/*.ts", "src/a.ts", true), (".", "src/a.ts", true),
      ("*", ".hidden", true), ("**/a/**/b", "a/x/a/y/b", true), ("a/**/b", "a/b", true),
    ])
  func matches(pattern: String, path: String, expected: Bool) {
    #expect(GlobPattern(pattern).matches(path) == expected)
  }

  @Test("A literal pattern matches a path with special characters, and no other")
  func literal() {
    #expect(GlobPattern(GlobPattern.literal("a[b]*/s")).matches("a[b]*/s"))
    #expect(!GlobPattern(GlobPattern.literal("a[b]*/s")).matches("ab/s"))
  }

  @Test("A pattern may match in every directory above a path that it matches")
  func directories() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let (pattern, path) = (Self.pattern(&random), Self.path(&random))
      guard GlobPattern(pattern).matches(path) else { continue }
      let parts = path.split(separator: "/").map(String.init)
      for count in parts.indices {
        #expect(GlobPattern(pattern).mayMatch(in: Array(parts.prefix(count))), "\(pattern) \(path)")
      }
    }
  }

  @Test(
    "Patterns match the same files as git's, for random trees",
    .enabled(if: (try? ProgramSearch.check("git", from: ".")) != nil, "needs git"))
  func git() throws {
    var random = SeededGenerator(seed: 1)
    let directory = try TemporaryDirectory()
    _ = try run(["git", "init", "-q"], in: directory)
    var paths: Set<String> = []
    for _ in 0..<150 {
      let path = Self.path(&random)
      let place = directory.file(path)
      // A name can be that of a directory already.
      guard (try? FileSystem.createDirectory(FileSystem.directory(of: place), parents: true)) != nil,
        !FileSystem.exists(place)
      else { continue }
      try FileSystem.writeFile(atomically: [], to: place)
      paths.insert(path)
    }
    var matches = 0
    for _ in 0..<60 {
      let pattern = Self.pattern(&random)
      let listed = try run(["git", "ls-files", "-o", "--", ":(glob)\(pattern)"], in: directory)
      let expected = Set(listed.split(separator: "\n").map(String.init))
      let found = paths.filter { GlobPattern(pattern).matches($0) }
      matches += found.count
      #expect(found == expected, "\(pattern)")
    }
    #expect(matches > 100)
  }

  private func run(_ arguments: [String], in directory: TemporaryDirectory) throws -> String {
    let process = try ProcessRequest(arguments, directory: directory.path, captureOutput: true).start()
    defer { process.finish() }
    var output: [UInt8] = []
    while process.readOutput(.output, isShort: false, { output += $0 }) { poll(nil, 0, 1) }
    #expect(process.wait() == .exited(0))
    return String(decoding: output, as: UTF8.self)
  }

  private static func path(_ random: inout SeededGenerator) -> String {
    let names = ["a", "b", "ab", "c.ts", "a.ts"]
    return (0..<Int.random(in: 1...4, using: &random)).map { _ in names.randomElement(using: &random) ?? "a" }
      .joined(separator: "/")
  }

  private static func pattern(_ random: inout SeededGenerator) -> String {
    let parts = ["**", "**", "*", "a", "b", "a*", "*.ts", "?", "[ab]", "*b", "c.ts"]
    return (0..<Int.random(in: 1...4, using: &random)).map { _ in parts.randomElement(using: &random) ?? "a" }
      .joined(separator: "/")
  }
}
