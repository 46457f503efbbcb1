import Testing

@testable import AppBootCommands

@Suite("A version requirement")
struct VersionRequirementTests {
  @Test(
    "A requirement compares as many numbers as it has",
    arguments: [
      (">=3.11", [3, 11, 4], true), (">=3.11", [3, 9, 20], false), (">=3.11", [4], true),
      (">=3.11", [3], false),
      ("<4", [3, 99], true), ("<4", [4, 0], false), ("<=3.11", [3, 11, 4], true),
      (">3.11", [3, 11, 4], false),
      (">3.11", [3, 12], true), ("=3.11", [3, 11, 4], true), ("=3.11.0", [3, 11], true), ("=3", [30], false),
      (">=3.11 <4", [3, 12], true), (">=3.11,<4", [4, 1], false), (" >= 1 , < 2 ", [1, 5], true),
    ])
  func fits(text: String, version: [Int], fits: Bool) throws {
    #expect(try #require(VersionRequirement(text)).fits(version) == fits)
  }

  @Test(
    "A text without a comparison is not a requirement",
    arguments: ["", "3.11", "~>3", ">=", ">=a", ">=1.", ">=1<2", "==1", ">=1.x", ">=99999999999999999999"])
  func invalid(text: String) { #expect(VersionRequirement(text) == nil) }

  @Test(
    "The version in an output is the first number with dots, or else the first number",
    arguments: [
      ("Python 3.11.4", [3, 11, 4]), ("v18.17.0\n", [18, 17, 0]), ("git version 2.39.2 (1)", [2, 39, 2]),
      ("less 590 (x)", [590]), ("2 tools, version 1.5", [1, 5]), ("none", nil), ("", nil),
      ("GNU bash, version 5.2.15(1)-release", [5, 2, 15]),
    ] as [(String, [Int]?)])
  func versions(text: String, version: [Int]?) { #expect(VersionRequirement.version(in: text) == version) }
}
