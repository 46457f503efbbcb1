package import AppBoot

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
