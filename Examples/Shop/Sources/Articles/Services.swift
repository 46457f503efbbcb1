// Placeholders for the services of an app, as small as the articles need them.

struct Database: Sendable {
  let tableCount = 3
  init(path: String, connections: Int) throws {}
  func readAll() throws {}
}

enum Payments {
  static func open(_ url: String) -> Bool { url.hasPrefix("pay:") }
}

enum Upload {
  static func pause() {}
  static func resume() {}
}
