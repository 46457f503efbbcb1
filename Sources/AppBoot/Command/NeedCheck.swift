/// An error that ends the work of an unnecessary step. It has the reason in words.
package struct Unnecessary: Error {
  let reason: String

  package init(reason: String) { self.reason = reason }
}

/// A running program of `unless` that decides whether a step is needed. If it exits with 0, the step is unnecessary.
package protocol NeedCheck: AnyObject, Sendable {
  /// The name of the program.
  var program: String { get }
  /// The descriptors to watch. They are open until ``release()``.
  var descriptors: [Int32] { get }
  /// Returns true if the program has succeeded, false if it has failed; `nil` while it runs. It never waits.
  func advance() -> Bool?
  /// Kills the program.
  func stop()
  /// Kills the program if it runs, reaps it, and closes the descriptors. Further calls have no effect.
  func release()
  /// Waits on the calling thread until the program has ended, and returns whether it has succeeded.
  ///
  /// - Throws: `CancellationError` if the step was cancelled; the program may then run until ``release()``.
  func wait(isCancelled: () -> Bool) throws -> Bool
}

/// A function that starts the program of an `unless`. `AppBootCommands` has one; the core starts no processes.
///
/// It throws a ``ShortageError`` if the program cannot be started yet.
package typealias NeedCheckStart =
  @Sendable (_ arguments: [String], _ context: LaunchContext) throws -> any NeedCheck

/// An error that reports that nothing can start the program of `unless`.
struct NeedCheckUnavailable: Error, CustomStringConvertible {
  static let help = "register it, as in registry.register(StockCommands.all)"

  var description: String { "\"command\" in \"unless\" cannot run: RunProcess is not registered" }
}
