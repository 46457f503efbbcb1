import AppBoot
import AppBootSystem

/// The program of the desktop that shows a page: `open` on macOS, `xdg-open` on other systems.
enum PageViewer {
  /// An error that reports that a page cannot be shown.
  struct Failure: ReportableError {
    let program: String
    /// The page that was written; `nil` if the program was missing before any work.
    var path: String?

    var message: String { "--open: \"\(program)\" cannot be started" }

    func help(tool: String) -> String? {
      path.map { "open \($0) in a browser" } ?? "write the page with --output FILE, and open it in a browser"
    }
  }

  private static var program: String {
    #if os(macOS)
    "open"
    #else
    "xdg-open"
    #endif
  }

  /// Checks that the program exists.
  ///
  /// - Throws: ``Failure``.
  static func check() throws(Failure) {
    do throws(SpawnError) {
      try ProgramSearch.check(program, from: ".")
    } catch {
      throw Failure(program: program)
    }
  }

  /// Writes a page to a file in a directory that only this user can read, and names the file on standard error.
  static func write(_ page: String, _ tool: ToolContext) throws(SystemError) -> ResultFile {
    let directory = try FileSystem.makeTemporaryDirectory(prefix: "appboot-page")
    let file = try ResultFile(FileSystem.join(directory, "page.html"))
    try file.write(page)
    tool.errors.write("\(tool.name): the page is \(file.path)\n")
    return file
  }

  /// Shows a page, and does not wait for the program.
  ///
  /// - Throws: ``Failure``.
  static func show(_ path: String) throws(Failure) {
    // A name that begins with a dash would be an option.
    let place = FileSystem.resolve(path) ?? path
    do throws(SpawnError) {
      _ = try ProcessRequest([program, place], passing: []).start()
    } catch {
      throw Failure(program: program, path: path)
    }
  }
}

/// The place of a report's text: standard output, a file, or a page that is shown.
struct ReportOutput {
  /// The file; `nil` for standard output.
  let file: ResultFile?
  private let isShown: Bool

  /// Reads `--output` and `--open`. Checks that the file can be written, and that a page can be shown.
  ///
  /// - Parameter isPage: True if the format is `html`.
  /// - Throws: ``UsageError`` for `--open` with another format, `SystemError`, ``PageViewer/Failure``.
  init(_ arguments: ParsedArguments, isPage: Bool) throws {
    isShown = arguments.isSet(.open)
    if isShown {
      guard isPage else { throw UsageError.needs("--open", option: "--format html") }
      try PageViewer.check()
    }
    file = try ResultFile(.output, of: arguments)
  }

  /// Writes the text, and shows the page.
  func write(_ text: String, _ tool: ToolContext) throws {
    guard let file else {
      guard isShown else { return tool.output.write(text) }
      return try PageViewer.show(PageViewer.write(text, tool).path)
    }
    try file.write(text)
    if isShown { try PageViewer.show(file.path) }
  }
}
