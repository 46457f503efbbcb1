import AppBoot

/// An operation that ended when it was created.
final class FinishedOperation: PolledOperation {
  private let result: Result<Void, any Error>

  init(_ result: Result<Void, any Error>) { self.result = result }

  var descriptors: [Int32] { [] }
  func advance() -> Result<Void, any Error>? { result }
  func release() {}
  func stop(isForced: Bool) {}
}
