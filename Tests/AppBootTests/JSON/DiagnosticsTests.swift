import Testing

@testable import AppBoot

@Suite("The problems of a text")
struct DiagnosticsTests {
  private func problem(_ place: Int, _ severity: Diagnostic.Severity = .error) -> Diagnostic {
    Diagnostic(severity, "problem \(place)", at: SourceRange(place, place + 1))
  }

  @Test("A hundred problems are all shown, and a note counts those after them")
  func counts() {
    var problems = Diagnostics()
    problems.append(contentsOf: (0..<100).map { problem($0) })
    #expect(problems.shown.count == 100 && problems.shown.allSatisfy { $0.severity == .error })
    problems.append(problem(100))
    #expect(problems.shown.last == Diagnostic(.note, "and 1 more problem", at: SourceRange(100, 101)))
    problems.append(problem(101))
    #expect(problems.shown.last?.message == "and 2 more problems")
    #expect(problems.shown.count == 101 && problems.total == 102)
  }

  @Test("The first problems that were found are shown by place")
  func order() {
    var problems = Diagnostics()
    for place in (0..<1000).reversed() { problems.append(problem(place)) }
    #expect(problems.shown.prefix(100).map(\.message) == (900..<1000).map { "problem \($0)" })
    #expect(problems.shown.last == Diagnostic(.note, "and 900 more problems", at: SourceRange(899, 900)))
  }

  @Test("A problem after the first ones is counted and not made")
  func lazy() {
    var problems = Diagnostics()
    var made = 0
    for index in 0..<10_000 {
      problems.append(at: SourceRange(index, index + 1)) {
        made += 1
        return problem(index)
      }
    }
    #expect(problems.total == 10_000)
    #expect(made == 100)
  }

  @Test("Errors and warnings are counted apart, also those of another part of the text")
  func severities() {
    var problems = Diagnostics()
    for index in 0..<150 { problems.append(problem(index, .warning)) }
    var others = Diagnostics()
    for index in 0..<450 { others.append(problem(1000 + index)) }
    problems.append(contentsOf: others)
    #expect(problems.errorCount == 450 && problems.warningCount == 150 && problems.total == 600)
    #expect(problems.shown.count == 101)
  }
}
