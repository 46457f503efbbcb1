import AppBoot
import AppBootLifecycle
import AppBootTestKit
import Testing

@testable import Recipes

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

@Suite("Docs/recipes.md")
struct RecipesTests {
  private let root = "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")

  private func lines(of path: String) throws -> [String] {
    let file = try #require(fopen(path, "r"), "\(path) cannot be read")
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.split(separator: " ").joined(separator: " ") }
  }

  /// The Swift blocks of the document, without empty lines and indentation.
  private func blocks() throws -> [[String]] {
    var blocks: [[String]] = []
    var isInside = false
    for line in try lines(of: "\(root)/Docs/recipes.md") {
      if line == "```swift" {
        blocks.append([])
        isInside = true
      } else if line == "```" {
        isInside = false
      } else if isInside, !line.isEmpty {
        blocks[blocks.count - 1].append(line)
      }
    }
    return blocks
  }

  @Test("shows Swift code that stands in a target that compiles")
  func compiles() throws {
    let recipes = ["Command", "Composite", "Mediator", "Coordinator", "Store", "Scene"].map {
      "\(root)/Examples/Shop/Sources/Recipes/\($0)Recipe.swift"
    }
    let sources = try (recipes + ["\(root)/Examples/Notes/Tests/NotesKitTests/NotesCommandsTests.swift"])
      .map { try lines(of: $0).filter { !$0.isEmpty } }
    let blocks = try blocks()
    #expect(blocks.count >= 12)
    for block in blocks {
      let exists = sources.contains { source in
        source.indices.contains { source[$0...].starts(with: block) }
      }
      #expect(exists, "no source holds \(block.prefix(3))")
    }
  }

  @Test("has a coordinator that goes on top, and back to what it started with")
  func coordinator() throws {
    let window = RecordingWindow()
    let flow = NoteFlow(window: window)
    try flow.start()
    try flow.select(7)
    try flow.open("notes://new")
    try flow.coordinator.popToRoot()
    #expect(window.screens.map(\.title) == ["Notes", "Note 7", "New note", "Notes"])
    #expect(throws: ScreenError.self) { try flow.open("notes://nowhere") }
  }

  @Test("has a store that counts what is unread")
  func store() {
    let store = makeStore()
    store.dispatch(.received(3))
    store.dispatch(.connection(false))
    #expect(store.state == AppState(unread: 3, isOnline: false))
    store.dispatch(.readAll)
    #expect(store.state.unread == 0)
  }

  @Test("has a composite whose payments take their own URLs")
  func composite() async {
    #expect(await answer("pay:done"))
    #expect(await answer("notes:7") == false)
  }
}
