package import AppBoot

/// A program of `unless` that is not started: `false` fails, and all others succeed.
package final class FakeUnlessCheck: UnlessCheck {
  package static let start: UnlessCheckStart = { arguments, _, _ in FakeUnlessCheck(arguments) }

  package let program: String

  private init(_ arguments: [String]) { program = arguments.first ?? "" }

  package var descriptors: [Int32] { [] }
  package func advance() -> Bool? { program != "false" }
  package func wait(isCancelled: () -> Bool) throws -> Bool { program != "false" }
  package func stop() {}
  package func release() {}
}

/// A command whose registration lets the entries of a manifest have a program as `unless`.
package struct FakeProgram: PolledCommand {
  package static var startUnlessCheck: UnlessCheckStart? { FakeUnlessCheck.start }

  package init() {}

  package func execute(in context: LaunchContext) async throws {}
}
