import Testing

@testable import AppBoot

@Suite("The search for names")
struct NameSearchTests {
  private let many = (0..<5000).map { "entry-number-\($0)" }

  @Test("A list of ten names is whole, and a longer one has the ten nearest names in their order")
  func lists() {
    var few = NameSearch(among: Array(many.prefix(10)))
    #expect(few.list(for: "x") == NameList(Array(many.prefix(10))))
    var all = NameSearch(among: ["far", "away"] + many)
    let list = all.list(for: "entri-numbre-42")
    #expect(list.names.count == 10 && list.isShortened)
    #expect(list.names.contains("entry-number-42") && !list.names.contains("far"))
    #expect(list.text().hasSuffix(", …"))
  }

  @Test("All searches together compare a limited number of letters")
  func limit() {
    var search = NameSearch(among: many, comparisonsLeft: 1_000_000)
    var found = 0
    for number in 0..<5000 where search.match(for: "entri-numbre-\(number)x") != nil { found += 1 }
    #expect(found > 0 && found < 100)
    #expect(search.comparisonsLeft <= 0 && search.comparisonsLeft > -10_000)
    #expect(search.list(for: "x").names == Array(many.prefix(10)))
  }

  @Test("One search compares a limited number of letters")
  func oneSearch() {
    let names = ClosestName(among: (0..<100_000).map { "abcdefghijklmnopqrstuvwxyz\($0)" })
    var left = ClosestName.comparisonLimit
    _ = names.match(for: "zyxwvutsrqponmlkjihgfedcba1", comparisonsLeft: &left)
    #expect(left > -1000)
    left = ClosestName.comparisonLimit
    #expect(names.nearest(10, to: "abcdefghijklmnopqrstuvwxyzx", comparisonsLeft: &left).count == 10)
    #expect(left > -1000)
  }

  @Test("Names of different lengths are not compared")
  func lengths() {
    let names = ClosestName(among: [String](repeating: "a very long name of a step", count: 1000))
    var left = 10_000
    #expect(names.match(for: "short", comparisonsLeft: &left) == nil)
    #expect(left == 8_000)
  }

  @Test("A long name is shortened in a list")
  func longNames() {
    let long = String(repeating: "n", count: 100_000)
    #expect(NameList([long, "a"]).text { "\"\($0)\"" }.utf8.count < 100)
    #expect(("a" + String(repeating: "\u{301}", count: 100_000)).excerpt.utf8.count < 250)
  }
}
