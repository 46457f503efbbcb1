import Foundation
import Testing

@Suite("The responsibilities of an app delegate")
struct ResponsibilitiesTests {
  private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  private func lines(_ path: String) throws -> [Substring] {
    let url = folder.appendingPathComponent(path).standardized
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
  }

  @Test("The README lists all fifteen responsibilities, each with an existing test of the shop")
  func table() throws {
    let rows = try lines("../../README.md").drop { !$0.hasPrefix("| responsibility |") }
      .dropFirst(2)
      .prefix { $0.hasPrefix("|") }
    let names = rows.map { row in
      row.split(separator: "|").last.map { $0.trimmingCharacters(in: [" ", "`"]) } ?? ""
    }
    #expect(names.count == 15 && Set(names).count == 15)
    let tests = try lines("ShopTests.swift")
    for name in names { #expect(tests.contains { $0.hasPrefix("  func \(name)()") }, "no test \(name)") }
  }
}
