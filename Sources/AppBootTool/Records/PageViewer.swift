import AppBoot
import AppBootSystem

/// The program of the desktop that shows a page: `open` on macOS, `xdg-open` on other systems.
enum PageViewer {
  private static var program: String {
    #if os(macOS)
    "open"
    #else
    "xdg-open"
    #endif
  }

  private static func failure(_ help: String) -> ToolError {
    ToolError("--open: \"\(program)\" cannot be started", help: help)
  }

  /// Checks that the program exists.
  ///
  /// - Throws: ``ToolError``.
  static func check() throws(ToolError) {
    do throws(SpawnError) {
      try ProgramSearch.check(program, from: ".")
    } catch {
      throw failure("write the page with --output FILE, and open it in a browser")
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
  /// - Throws: ``ToolError``.
  static func show(_ path: String) throws(ToolError) {
    // A name that begins with a dash would be an option.
    let place = FileSystem.resolve(path) ?? path
    do throws(SpawnError) {
      _ = try ProcessRequest([program, place], passing: []).start()
    } catch {
      throw failure("open \(path) in a browser")
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
  /// - Throws: ``UsageError`` for `--open` with another format, `SystemError`, ``ToolError``.
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
