import AppBoot
import Testing

/// A type whose decoding is written by hand, and throws errors of its own.
private struct Even: Decodable, Sendable {
  struct Odd: Error, CustomStringConvertible {
    let number: Int
    var description: String { "\(number) is odd" }
  }

  let number: Int
  init(from decoder: any Decoder) throws {
    number = try decoder.singleValueContainer().decode(Int.self)
    if number % 2 == 1 { throw Odd(number: number) }
  }
}

private struct Duo: Decodable, Sendable {
  var first: Even
  var second: Even
  var third: Even?
}

private struct Sum: Decodable, Sendable {
  struct TooSmall: Error, CustomStringConvertible { let description = "the sum is too small" }
  enum Key: CodingKey { case left, right }

  let value: Int
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let left = try container.decode(Even.self, forKey: .left)
    let right = try container.decode(Even.self, forKey: .right)
    value = left.number + right.number
    if value < 10 { throw TooSmall() }
  }
}

private struct Add: Command {
  @Parameter("A number.") var number: Even?
  @Parameter("A pair.") var pair: Duo?
  @Parameter("Pairs.") var pairs: [Duo] = []
  @Parameter("A sum.") var sum: Sum?
  func execute(in context: LaunchContext) {}
}

private struct Plainly: Command {
  @Parameter("A host.") var host = "h"
  var port = 80
  func execute(in context: LaunchContext) {}
}

@Suite("The problems of a type's own decoding")
struct AllProblemsTests {
  @Test("All wrong values of a struct are reported, also in lists and beside other parameters")
  func all() {
    let found = problems(
      of: Add.self,
      with: """
        { "number": 1, "pair": { "first": 3, "second": 5, "third": 7 },
        "pairs": [{ "first": 2, "second": 4 }, { "first": 9, "second": 11 }] }
        """)
    #expect(
      found == [
        "2:13: \"number\": 1 is odd",
        "2:35: \"pair.first\": 3 is odd",
        "2:48: \"pair.second\": 5 is odd",
        "2:60: \"pair.third\": 7 is odd",
        "3:51: \"pairs[1].first\": 9 is odd",
        "3:64: \"pairs[1].second\": 11 is odd",
      ])
  }

  @Test("The error of a type that was decoded with a wrong value is not reported")
  func consequence() {
    let wrong = problems(of: Add.self, with: #"{ "sum": { "left": 1, "right": 3 } }"#)
    #expect(wrong == [#"2:20: "sum.left": 1 is odd"#, #"2:32: "sum.right": 3 is odd"#])
    let one = problems(of: Add.self, with: #"{ "sum": { "left": 1, "right": 30 } }"#)
    #expect(one == [#"2:20: "sum.left": 1 is odd"#])
    let small = problems(of: Add.self, with: #"{ "sum": { "left": 2, "right": 4 } }"#)
    #expect(small == [#"2:10: "sum": the sum is too small"#])
  }

  @Test("A key that is a stored property without @Parameter is reported as that")
  func plain() {
    #expect(
      problems(of: Plainly.self, with: #"{ "host": "a", "port": 8080 }"#) == [
        #"2:16: "port" is a stored property of Plainly, but not a parameter "#
          + "| declare it with @Parameter in Swift, or remove it here"
      ])
  }
}
