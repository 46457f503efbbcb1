// Placeholders for the services of an app, as small as the recipes need them.

struct Database: Sendable {
  init(path: String) throws {}
  func migrate() throws {}
}

struct Client: Sendable {
  func sync(every interval: Duration) {}
  func freePort() async throws -> Int { 8080 }
  func release(port: Int) async throws {}
}

enum Server {
  static func listen(on port: Int, database: Database) throws {}
}

enum Search {
  static func index(_ database: Database) throws {}
}

enum Crashes {
  static func start(key: String) {}
}

enum Payments {
  static func open(_ url: String) -> Bool { url.hasPrefix("pay:") }
}

enum Feed {
  static func refresh(_ done: @escaping @Sendable (Bool) -> Void) { done(true) }
}

enum Icon {
  static func setBadge(_ number: Int) {}
}

enum Sound {
  static func pause() {}
}

enum Upload {
  static func scheduleLater() {}
}
