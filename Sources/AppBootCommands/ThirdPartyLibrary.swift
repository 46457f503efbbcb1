public import AppBoot

/// One entry of `InitializeThirdParties`: a shared library, or one that the app registered in code.
public struct ThirdPartyLibrary: ParameterGroup {
  /// The library's name, for people; for one registered in code, the name it was registered by.
  @Parameter(
    "The library's name; for one registered in code, the name it was registered by.",
    schema: .nonEmpty(.string))
  public var name: String

  /// The shared library's file name; `nil` for a library that is registered in code.
  @Parameter("The shared library's file name, or one for each platform. Without it: registered in code.")
  public var library: LibraryName?

  /// A function that returns the version as text.
  @Parameter(
    "A function of the library, const char *(*)(void), that returns its version: \"zlibVersion\".",
    schema: .optional(.nonEmpty(.string)))
  public var version: String?

  /// A function that starts the library.
  @Parameter(
    "A function of the library, int (*)(void), that starts it; 0 is success: \"sqlite3_initialize\".",
    schema: .optional(.nonEmpty(.string)))
  public var initialize: String?

  /// Whether the launch goes on where the library is missing.
  @Parameter("Whether the launch goes on where the library is missing.")
  public var optional = false

  /// What a library registered in code is given.
  @Parameter("What a library that is registered in code is given, by name.")
  public var options: [String: String] = [:]

  /// Creates an entry without a name.
  public init() {}

  /// Decodes the entry, and checks that its keys go together.
  ///
  /// - Throws: `DecodingError`.
  public init(from decoder: any Decoder) throws {
    try ParameterReader.read(decoder) { parameters in
      parameters.read(&_name, "name")
      parameters.read(&_library, "library")
      parameters.read(&_version, "version")
      parameters.read(&_initialize, "initialize")
      parameters.read(&_optional, "optional")
      parameters.read(&_options, "options")
      if name.isEmpty { parameters.refuse("a library needs a name", at: "name") }
      for (key, function) in [("version", version), ("initialize", initialize)] where function == "" {
        parameters.refuse("name the function, or leave it out", at: ParameterKey(stringValue: key))
      }
      if library != nil, !options.isEmpty {
        let problem = "a shared library takes no options: they are for one that is registered in code"
        parameters.refuse(problem, at: "options")
      }
      if library == nil, parameters.hasRead("library"), version ?? initialize != nil {
        let problem = "say in \"library\" which shared library has this function"
        parameters.refuse(problem, at: version != nil ? "version" : "initialize")
      } else if library == nil, !optional, !name.isEmpty, parameters.hasRead("library"),
        let registered = parameters.registeredLibraries, registered[name] == nil
      {
        parameters.refuse(ThirdPartyError.notRegistered(name, among: registered.keys).description, at: "name")
      }
    }
  }
}
