import AppBoot
import AppBootSystem

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
