import AppBootBase
import Testing

@Suite("Paths")
struct FileSystemTests {
  @Test(
    "A path is split into its directory and its last component",
    arguments: [
      ("a/b.json", "a", "b.json"), ("a", ".", "a"), ("/a", "/", "a"), ("/", "/", "/"),
      ("a/b/", "a", "b"), ("a//b", "a", "b"), ("é/ü", "é", "ü"),
    ])
  func paths(path: String, parent: String, last: String) {
    #expect(FileSystem.directory(of: path) == parent)
    #expect(FileSystem.lastComponent(path) == last)
  }

  @Test("A relative path is joined to a directory")
  func join() {
    #expect(FileSystem.join("a", "b") == "a/b")
    #expect(FileSystem.join("a/", "b") == "a/b")
    #expect(FileSystem.join("a", "/b") == "/b")
    #expect(FileSystem.join("", "b") == "b")
  }
}
