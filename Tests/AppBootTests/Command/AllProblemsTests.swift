import AppBoot
import Testing

/// A number that its type checks.
private struct Even: ParameterValue {
  let number: Int

  static var parameterType: ParameterType<Even> {
    ParameterType(Int.parameterType.schema([]), placeholder: Even(number: 0)) { json, reader in
      guard let number = Int.parameterType.read(json, &reader) else { return nil }
      return number % 2 == 0 ? Even(number: number) : reader.reject("\(number) is odd", json)
    }
  }
}

private struct Duo: ParameterGroup {
  @Parameter("The first.") var first: Even
  @Parameter("The second.") var second: Even
  @Parameter("The third.") var third: Even?
}

private struct Sum: ParameterGroup {
  @Parameter("The left part.") var left: Even
  @Parameter("The right part.") var right: Even

  func validate(_ validation: inout ParameterValidation) {
    guard validation.isReadable("left"), validation.isReadable("right") else { return }
    if left.number + right.number < 10 { validation.reject("the sum is too small") }
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

@Suite("The problems that a type finds")
struct AllProblemsTests {
  @Test("All wrong values of a group are reported, also in lists and beside other parameters")
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

  @Test("A group whose value could not be read is not also rejected")
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
