import AppBootSystem
import AppBootTestSupport
import Testing

/// The directory of the compiled modules, which is next to the tests' executable on Linux.
private let modules = FileSystem.join(
  FileSystem.directory(of: FileSystem.resolve("/proc/self/exe") ?? "/"), "Modules")

/// The directory of the module map that `AppBootLifecycle` needs.
private let headers = FileSystem.join(FileSystem.directory(of: #filePath), "../../../Sources/AppBootC")

/// The compiler; `nil` without one.
private let compiler = ProcessEnvironment.value(of: "PATH").flatMap { path in
  path.split(separator: ":").map { FileSystem.join(String($0), "swiftc") }.first(where: FileSystem.exists)
}

/// A command that the compiler rejects, and the end of its message.
struct RejectedCommand: CustomTestStringConvertible {
  let declaration: String
  let message: String
  /// The name of the method and its effects, for example `execute async`.
  var methods: [String] = ["execute"]

  var testDescription: String { declaration }

  var source: String {
    let methods = methods.map { method in
      let isAsync = method.hasSuffix(" async")
      let name = isAsync ? method.dropLast(6) : method[...]
      return "  func \(name)(in context: LaunchContext) \(isAsync ? "async throws" : "throws") {}\n"
    }
    return "import AppBoot\n\(declaration) {\n\(methods.joined())}\n"
  }
}

@Suite("The compiler", .ownThread, .enabled(if: compiler != nil && FileSystem.exists(modules)))
struct CommandIsolationTests {
  private static let mainActor =
    "conform to MainActorCommand without @MainActor on it or on the type; make execute(in:) async\n"

  @Test(
    "The compiler names the protocol for a command that does not fit its own",
    arguments: [
      // What the compiler's fix-its make of a command that is marked @MainActor.
      RejectedCommand(declaration: "@MainActor struct Show: @MainActor Command", message: mainActor),
      RejectedCommand(
        declaration: "@MainActor struct Show: @MainActor MainActorCommand", message: mainActor,
        methods: ["execute async"]),
      RejectedCommand(declaration: "struct Show: @MainActor MainActorCommand", message: mainActor),
      RejectedCommand(
        declaration: "@MainActor struct Show: @MainActor UndoableCommand", message: mainActor,
        methods: ["execute", "undo"]),
      RejectedCommand(
        declaration: "struct Show: Command", message: "if it is async, AsyncCommand or MainActorCommand\n",
        methods: ["execute async"]),
      RejectedCommand(
        declaration: "struct Show: UndoableCommand", message: "if it is async, AsyncUndoableCommand\n",
        methods: ["execute", "undo async"]),
    ])
  func names(rejected: RejectedCommand) throws {
    let output = try messages(of: rejected.source)
    #expect(output.contains(rejected.message), "\(output)")
  }

  @Test(
    "The compiler names the protocol for a part or a window of the main actor",
    arguments: [
      ("Listener: @MainActor LifecycleListener", "func receive(_ event: LifecycleEvent) {}"),
      ("Responder: @MainActor LifecycleResponder", "func respond(to: LifecycleEvent, _: LifecycleReply) {}"),
      ("Window: @MainActor AppWindow", "func show(_: Navigation) {}\n  func apply(_: WindowAppearance) {}"),
    ])
  func parts(declaration: String, methods: String) throws {
    let output = try messages(
      of: "import AppBootLifecycle\n@MainActor final class \(declaration) {\n  \(methods)\n}\n")
    let name = declaration.prefix { $0 != ":" }
    #expect(output.contains("conform to MainActor") && output.contains("MainActor\(name)"), "\(output)")
    #expect(output.contains(", without @MainActor\n"), "\(output)")
  }

  @Test("The compiler accepts a command of the main actor as a MainActorCommand")
  func accepts() throws {
    let fitting = RejectedCommand(
      declaration: "struct Show: MainActorCommand", message: "", methods: ["execute async"])
    #expect(try messages(of: fitting.source).isEmpty)
  }

  /// Returns what the compiler prints for a file of an app.
  private func messages(of source: String) throws -> String {
    let directory = try FileSystem.makeTemporaryDirectory(prefix: "appboot-compiler")
    defer { try? FileSystem.removeTree(directory) }
    let (file, output) = (FileSystem.join(directory, "app.swift"), FileSystem.join(directory, "output"))
    try FileSystem.writeFile(atomically: Array(source.utf8), to: file)
    let process = try ProcessRequest(
      [
        "sh", "-c", #"exec "$0" "$@" >output 2>&1"#, try #require(compiler), "-typecheck", "-swift-version",
        "6", "-I", modules, "-I", headers, file,
      ], directory: directory
    ).start()
    _ = process.wait()
    process.finish()
    return String(decoding: try FileSystem.readFile(output), as: UTF8.self)
  }
}
