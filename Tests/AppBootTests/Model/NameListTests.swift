import Testing

@testable import AppBoot

@Suite("The list of names in a message")
struct NameListTests {
  private let many = (0..<5000).map { "entry-number-\($0)" }

  @Test("A list of ten names is whole, and a longer one has the ten nearest names in their order")
  func lists() {
    let few = ClosestName(among: Array(many.prefix(10)))
    #expect(few.list(for: "x") == NameList(Array(many.prefix(10))))
    let all = ClosestName(among: ["far", "away"] + many)
    let list = all.list(for: "entri-numbre-42")
    #expect(list.names.count == 10 && list.isShortened)
    #expect(list.names.contains("entry-number-42") && !list.names.contains("far"))
    #expect(list.text().hasSuffix(", …"))
  }

  @Test("In a long list, only the first mistyped names have a suggestion")
  func limit() {
    let search = ClosestName(among: many, after: ClosestName.mostSearches)
    #expect(search.match(for: "entri-numbre-42") == nil)
    #expect(search.list(for: "entri-numbre-42") == NameList(Array(many.prefix(10)), isShortened: true))
    let short = ClosestName(among: many.prefix(100), after: ClosestName.mostSearches)
    #expect(short.match(for: "entri-numbre-42") == "entry-number-42")
  }

  @Test("A long name is shortened in a list")
  func longNames() {
    let long = String(repeating: "n", count: 100_000)
    #expect(NameList([long, "a"]).text { "\"\($0)\"" }.utf8.count < 100)
    #expect(("a" + String(repeating: "\u{301}", count: 100_000)).excerpt.utf8.count < 250)
  }
}
