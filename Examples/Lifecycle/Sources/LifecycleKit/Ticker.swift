import Foundation
public import ServiceLifecycle

/// A `Service` that prints lines at its start and at its graceful shutdown.
public struct Ticker: Service {
  private let name: String
  private let log: @Sendable (String) -> Void

  /// Creates a service.
  ///
  /// - Parameter log: A function that receives the lines; by default they are printed.
  public init(_ name: String, log: @escaping @Sendable (String) -> Void = { Self.show($0) }) {
    (self.name, self.log) = (name, log)
  }

  /// Prints a line at once, also into a pipe.
  public static func show(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// Waits for the graceful shutdown.
  public func run() async throws {
    log("\(name) runs")
    try await gracefulShutdown()
    log("\(name) shuts down")
  }
}
