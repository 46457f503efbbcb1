import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem

/// A file for a result. The tool checks before its work that it can write the file, and writes it atomically
/// afterwards.
struct ResultFile: Sendable {
  let path: String
  /// True if the path names an open descriptor. Its file is not replaced.
  var isDescriptor: Bool { FileSystem.openDescriptor(at: path) != nil }

  /// Creates the file for a path, and checks that it can be written.
  ///
  /// - Throws: `SystemError` if it cannot be written.
  init(_ path: String) throws(SystemError) {
    try FileSystem.checkWritable(path)
    self.path = path
  }

  /// Creates the file for a record: the option's path, or a file with a unique name in a path that ends with a slash.
  ///
  /// The name begins with the time, so that the files sort by time.
  static func record(_ option: Option<String>, of arguments: ParsedArguments) throws(SystemError)
    -> ResultFile?
  {
    guard let path = arguments[option], path.hasSuffix("/") else {
      return try ResultFile(option, of: arguments)
    }
    let id = LaunchID.of(startedAt: WallClock.timestamp())
    return try ResultFile("\(path)\(id)-\(SecureRandom.hexadecimal(bytes: 4)).json")
  }

  /// The size in bytes up to which a file is checked.
  private static let limit = 1 << 24

  /// Returns the words for a file that a result must not replace; `nil` for other files.
  ///
  /// It looks like a record, or like a file that a launch reads: a manifest, a part of one, or an environment file.
  private static func input(_ path: String, orRecord: Bool) -> String? {
    guard let bytes = try? FileSystem.readRegularFile(path, limit: limit) else { return nil }
    let source = SourceText(name: path, bytes: bytes)
    if orRecord, (try? RecordSets.records(in: source)) != nil { return "a record" }
    let isInput: Bool
    if let root = try? JSONDocument(parsing: source).root {
      let keys = root.members.map(\.key.string)
      let isPart = !keys.isEmpty && keys.allSatisfy(ManifestReader.keys.map(\.name).contains)
      isInput = isPart || Manifest.hasEntries(root)
    } else {
      let file = EnvironmentFile(parsing: bytes)
      isInput = file.problems.isEmpty && !file.variables.isEmpty
    }
    return isInput ? "a manifest or an environment file" : nil
  }

  /// Creates the file for an option's path, and checks that it can be written; returns `nil` without the option.
  init?(_ option: Option<String>, of arguments: ParsedArguments) throws(SystemError) {
    guard let path = arguments[option] else { return nil }
    try self.init(path)
  }

  /// Checks that no two options have the same file, and that no option has a file that a launch reads, or a record.
  ///
  /// - Parameters:
  ///   - inputs: The files and the directories of records that are read.
  ///   - recordOption: The option that writes a record, which can replace one that is not read.
  /// - Throws: ``UsageError/sameFile(_:_:)``, ``UsageError/inputAsResult(_:input:)``.
  static func checkApart(
    _ files: [(option: Option<String>, file: ResultFile?)], from inputs: [(path: String, name: String)],
    recordOption: Option<String>? = nil
  ) throws(UsageError) {
    var names = inputs.filter { $0.path != "-" }.map { (place: place(of: $0.path), name: $0.name) }
    for (option, file) in files {
      // A device, for example /dev/null, takes any number of texts.
      guard let file, !file.isDescriptor, [nil, .regular].contains(FileSystem.kind(of: file.path)) else {
        continue
      }
      let place = place(of: file.path)
      if let other = names.first(where: { $0.place == place }) {
        throw .sameFile("--\(option.name)", other.name)
      }
      if let input = input(file.path, orRecord: option.name != recordOption?.name) {
        throw .inputAsResult("--\(option.name)", input: input)
      }
      let records = inputs.flatMap { (try? RecordArchive.list($0.path)) ?? [] }
      if records.contains(where: { self.place(of: $0) == place }) {
        throw .inputAsResult("--\(option.name)", input: "a file in a directory of records")
      }
      names.append((place, "--\(option.name)"))
    }
  }

  /// Returns the resolved path of a file. The file may not exist yet.
  private static func place(of path: String) -> String {
    if let place = FileSystem.resolve(path) { return place }
    let directory = FileSystem.directory(of: path)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return FileSystem.join(FileSystem.resolve(directory) ?? directory, name)
  }

  /// Replaces the content of the file by a text. A reader of the file finds either the old or the new content.
  ///
  /// A text for an open descriptor follows the output of the tool.
  func write(_ text: String, _ tool: ToolContext) throws(SystemError) {
    switch FileSystem.openDescriptor(at: path) {
    case 1: tool.output.write(text)
    case 2:
      try? tool.output.flush()
      tool.errors.write(text)
    default:
      if isDescriptor { tool.flush() }
      try FileSystem.writeFile(atomically: Array(text.utf8), to: path)
    }
  }

  /// Writes each text to its file, even if one cannot be written. Returns the errors.
  static func write(_ texts: [(file: ResultFile?, text: () -> String)], _ tool: ToolContext) -> [SystemError]
  {
    texts.compactMap { file, text in
      do throws(SystemError) {
        try file?.write(text(), tool)
        return nil
      } catch {
        return error
      }
    }
  }
}

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
      try ProgramSearch.check(program, searchPath: ProgramSearch.helperPath(), from: ".")
    } catch {
      throw failure("write the page with --output FILE, and open it in a browser")
    }
  }

  /// Returns a file for a page in a new directory that only this user can read, and names it on standard error.
  static func file(_ tool: ToolContext) throws(SystemError) -> ResultFile {
    let directory = try FileSystem.makeTemporaryDirectory(prefix: "appboot-page")
    let file = try ResultFile(FileSystem.join(directory, "page.html"))
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
      var request = ProcessRequest([program, place], passing: [])
      request.isHelper = true
      _ = try request.start()
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

  /// Returns the style of text: in a file, it has neither colours nor a limit of its width.
  func style(_ tool: ToolContext) -> TextStyle { file == nil ? tool.outputStyle : TextStyle() }

  /// Writes the text, and shows the page.
  func write(_ text: String, _ tool: ToolContext) throws { try write(tool) { _ in text } }

  /// Writes the text that a function returns for the file, which is `nil` for standard output, and shows the page.
  func write(_ tool: ToolContext, _ text: (ResultFile?) throws -> String) throws {
    guard let file = try file ?? (isShown ? PageViewer.file(tool) : nil) else {
      return tool.output.write(try text(nil))
    }
    try file.write(try text(file), tool)
    if isShown { try PageViewer.show(file.path) }
  }
}
