public import AppBoot
import AppBootSystem

/// A command that starts third-party libraries: shared libraries, and libraries that the app registered in code.
public struct InitializeThirdParties: Command {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "InitializeThirdParties"

  /// The command's one-line description, for the catalogue and help.
  public static let abstract = "Starts the libraries that the app uses, and times each one."

  /// The command's rules and effects, for the catalogue and help.
  public static let discussion = """
    An entry with "library" is a shared library. It is loaded (dlopen) and stays loaded until the process \
    ends. Then its "version" function is called, and after that its "initialize" function. A name with a \
    slash is a path relative to the manifest's directory. The system's loader looks up any other name.

    An entry without "library" names a library that the app registered in code. Its code receives "options":

        registry.thirdParty("Sentry") { options in … }

    An "optional" library may be missing. If it is there and fails, the step fails.
    """

  /// An entry that shows the command, for the catalogue and help.
  public static let example = """
    { "command": "InitializeThirdParties", "with": { "libraries": [
      { "name": "SQLite", "library": "libsqlite3.so.0", "initialize": "sqlite3_initialize", "optional": true }
    ] } }
    """

  /// False: library names and options have no placeholders.
  public static let replacesVariables = false

  /// The libraries, in start order.
  @Parameter("The libraries, in start order.")
  package var libraries: [ThirdPartyLibrary] = []

  /// Creates the command without libraries.
  public init() {}

  /// Starts the libraries.
  ///
  /// - Throws: ``ThirdPartyError`` for the first library that cannot be started.
  public func execute(in context: LaunchContext) throws {
    var started: [String] = []
    for library in libraries {
      started.append(try context.measure(library.name) { try start(library, in: context) })
    }
    context.note(started.isEmpty ? "no libraries" : started.joined(separator: ", "))
  }

  /// Starts one library. Returns the text for the step's note.
  private func start(_ library: ThirdPartyLibrary, in context: LaunchContext) throws(ThirdPartyError)
    -> String
  {
    guard let names = library.library?.names else { return try startRegistered(library, in: context) }
    guard let file = names[Host.platform] else {
      if library.optional { return "without \(library.name)" }
      throw .noLibraryForPlatform(name: library.name, platform: Host.platform, known: names.keys.sorted())
    }
    let loaded: DynamicLibrary
    do throws(DynamicLibraryError) {
      let path = file.utf8.contains(UInt8(ascii: "/")) ? FileSystem.join(context.directory, file) : file
      loaded = try DynamicLibrary.open(path)
    } catch {
      if library.optional { return "without \(library.name)" }
      throw .unusable(name: library.name, error)
    }
    return try start(library, from: loaded)
  }

  /// Asks a loaded library for its version, and starts it. Returns the text for the step's note.
  private func start(
    _ library: ThirdPartyLibrary, from loaded: DynamicLibrary
  ) throws(ThirdPartyError) -> String {
    var code: Int32 = 0
    var words = library.name
    do throws(DynamicLibraryError) {
      let version = try library.version.map { symbol throws(DynamicLibraryError) in
        try loaded.callVersion(symbol)
      }
      if let version, !version.isEmpty { words += " " + version }
      if let symbol = library.initialize { code = try loaded.callInitializer(symbol) }
    } catch {
      throw .unusable(name: library.name, error)
    }
    guard code == 0 else {
      throw .initializerFailed(name: library.name, symbol: library.initialize ?? "", code: code)
    }
    return words
  }

  private func startRegistered(
    _ library: ThirdPartyLibrary, in context: LaunchContext
  ) throws(ThirdPartyError) -> String {
    let registered = context.host.environment.thirdParties
    guard let initializer = registered[library.name] else {
      if library.optional { return "without \(library.name)" }
      throw .notRegistered(library.name, among: registered.keys)
    }
    do {
      try initializer(library.options)
    } catch {
      throw .registeredCodeThrew(name: library.name, cause: error)
    }
    return library.name
  }
}
