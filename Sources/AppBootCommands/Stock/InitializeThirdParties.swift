public import AppBoot
import AppBootSystem

/// A command that starts third-party libraries: shared libraries, and libraries that the app registered in code.
public struct InitializeThirdParties: Command {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "InitializeThirdParties"

  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Starts the libraries that the app uses, and times each one.",
    discussion: """
      An entry with "library" is a shared library. It is loaded (dlopen) and stays loaded until the process \
      ends. Then its "version" function is called, and after that its "initialize" function. A name with a \
      slash is a path relative to the manifest's directory. The system's loader looks up any other name.

      An entry without "library" names a library that the app registered in code. Its code receives "options":

          registry.thirdParty("Sentry") { options in … }

      An "optional" library may be missing. If it is there and fails, the step fails.
      """,
    example: """
      { "command": "InitializeThirdParties", "with": { "libraries": [
        { "name": "SQLite", "library": "libsqlite3.so.0", "initialize": "sqlite3_initialize", "optional": true }
      ] } }
      """,
    lane: .main,
    replacesVariables: false)

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
    let registered = context.session.environment.thirdParties
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

/// An entry of `InitializeThirdParties`: a shared library, or one that the app registered in code.
package struct ThirdPartyLibrary: ParameterGroup {
  /// The library's name for messages. For a library that is registered in code, it is the name of the registration.
  @Parameter(
    "The library's name; for one registered in code, the name it was registered by.",
    schema: .nonEmpty(.string))
  package var name: String

  /// The file name of the shared library; `nil` for a library that is registered in code.
  @Parameter("The shared library's file name, or one for each platform. Without it: registered in code.")
  package var library: LibraryName?

  /// The name of a function that returns the library's version as text; `nil` for none.
  @Parameter(
    "A function of the library, const char *(*)(void), that returns its version: \"zlibVersion\".",
    schema: .optional(.nonEmpty(.string)))
  package var version: String?

  /// The name of a function that starts the library; `nil` for none.
  @Parameter(
    "A function of the library, int (*)(void), that starts it; 0 is success: \"sqlite3_initialize\".",
    schema: .optional(.nonEmpty(.string)))
  package var initialize: String?

  /// True if the launch continues when the library is missing.
  @Parameter("Whether the launch continues if the library is missing.")
  package var optional = false

  /// The options for a library that the app registers in code.
  @Parameter("The options for a library that the app registers in code, by name.")
  package var options: [String: String] = [:]

  /// Creates an entry without a name.
  package init() {}

  /// Rejects empty names, keys that contradict each other, and a library that the app did not register.
  package func validate(_ validation: inout ParameterValidation) {
    if name.isEmpty { validation.reject("a library needs a name", at: "name") }
    if version == "" { validation.reject(Self.namelessFunction, at: "version") }
    if initialize == "" { validation.reject(Self.namelessFunction, at: "initialize") }
    if library != nil, !options.isEmpty {
      validation.reject(
        "a shared library takes no options: they are for a library that the app registers in code",
        at: "options")
    }
    if library == nil, validation.isReadable("library") { validateRegistration(&validation) }
  }

  private static let namelessFunction = "name the function, or leave it out"

  /// Rejects an entry without a file name if it names functions, or if the app did not register the required library.
  private func validateRegistration(_ validation: inout ParameterValidation) {
    if version ?? initialize != nil {
      validation.reject(
        "give the shared library of this function in \"library\"",
        at: version != nil ? "version" : "initialize")
    } else if !optional, !name.isEmpty, let registered = validation.registeredLibraries,
      registered[name] == nil
    {
      validation.reject(ThirdPartyError.notRegistered(name, among: registered.keys).description, at: "name")
    }
  }
}

/// The file names of a shared library by platform.
package struct LibraryName: Sendable, Hashable {
  /// The names by platform. The keys are the names of platforms in manifests (`linux`, `macos`, …).
  package let names: [String: String]
}

extension LibraryName: ParameterValue {
  /// A string for all platforms, or an object with a string for each platform.
  package static var parameterType: ParameterType<LibraryName> {
    ParameterType(
      .anyOf([.nonEmpty(.string), .nonEmpty(.object(fields))]), placeholder: LibraryName(names: [:])
    ) { json, reader in
      if json.kind == .object {
        let before = reader.mistakeCount
        guard let names = PlatformNames.parameterType.read(json, &reader)?.names,
          reader.mistakeCount == before
        else { return nil }
        return names.isEmpty ? reader.reject(PlatformNames.problem, json) : LibraryName(names: names)
      }
      guard let name = reader.text(json) else { return nil }
      let names = LaunchCondition.platforms.map { ($0, name) }
      return name.isEmpty
        ? reader.reject(PlatformNames.problem, json)
        : LibraryName(names: Dictionary(uniqueKeysWithValues: names))
    }
  }

  private static var fields: [ParameterField] {
    LaunchCondition.platforms.map { ParameterField(name: $0, schema: .nonEmpty(.string), isRequired: false) }
  }
}

/// The parameters of an object with a file name for each platform.
private struct PlatformNames: ParameterGroup {
  @Parameter("") var linux: String?
  @Parameter("") var macos: String?
  @Parameter("") var ios: String?
  @Parameter("") var tvos: String?
  @Parameter("") var watchos: String?
  @Parameter("") var visionos: String?

  static let problem =
    "name the shared library's file, such as \"libz.so.1\", or one for each platform"

  /// The file names that the object has, by platform.
  var names: [String: String] {
    var names: [String: String] = [:]
    for (platform, name) in zip(LaunchCondition.platforms, [linux, macos, ios, tvos, watchos, visionos]) {
      names[platform] = name
    }
    return names
  }

  func validate(_ validation: inout ParameterValidation) {
    for (platform, name) in names where name.isEmpty { validation.reject(Self.problem, at: .key(platform)) }
  }
}

/// An error that prevents the start of a library.
enum ThirdPartyError: CausedError, Sendable {
  /// The shared library cannot be loaded, or does not have a function.
  case unusable(name: String, DynamicLibraryError)
  /// The library's start function returned this code. Only 0 is success.
  case initializerFailed(name: String, symbol: String, code: Int32)
  /// The manifest does not have the library's file name for this platform.
  case noLibraryForPlatform(name: String, platform: String, known: [String])
  /// The app has registered no library under this name in code.
  case notRegistered(name: String, suggestion: String?, registered: [String])
  /// The code that the app registered for the library threw an error.
  case registeredCodeThrew(name: String, cause: any Error)

  static func notRegistered(_ name: String, among registered: some Sequence<String>) -> ThirdPartyError {
    let names = registered.sorted()
    return .notRegistered(name: name, suggestion: ClosestName.to(name, among: names), registered: names)
  }

  /// The error that the library's registered code threw; `nil` for all other cases.
  public var cause: (any Error)? {
    if case .registeredCodeThrew(_, let cause) = self { cause } else { nil }
  }
}

extension ThirdPartyError: CustomStringConvertible {
  /// The error message: the library, the problem and its fix.
  var description: String {
    switch self {
    case .unusable(let name, .libraryNotFound(let library, let loader)):
      return "\(name): cannot load \"\(library)\": \(loader); install it, or mark it \"optional\": true"
    case .unusable(let name, .symbolNotFound(let library, let symbol, let loader)):
      return "\(name): \"\(library)\" has no function \"\(symbol)\": \(loader)"
    case .initializerFailed(let name, let symbol, let code):
      return "\(name): \(symbol)() returned \(code), and only 0 is success"
    case .noLibraryForPlatform(let name, let platform, let known):
      let names = known.isEmpty ? "none" : known.joined(separator: ", ")
      return "\(name): \"library\" has no name for \(platform), only for: \(names); "
        + "add one, or mark it \"optional\": true"
    case .notRegistered(let name, let suggestion, let registered):
      if let suggestion {
        return "no library is registered in code as \"\(name)\": did you mean \"\(suggestion)\"?"
      }
      let names = registered.isEmpty ? "nothing" : registered.map { "\"\($0)\"" }.joined(separator: ", ")
      return "no library is registered in code as \"\(name)\" (registered: \(names)): register it with "
        + "registry.thirdParty(\"\(name)\") { options in … }, or name the file to load in \"library\""
    case .registeredCodeThrew(let name, _):
      return "\(name) could not be started"
    }
  }
}
