public import AppBoot
import AppBootCommands

/// A service that keeps a connection open, and provides it to later commands.
struct Mailbox: ServiceCommand {
  @Parameter("The address of the mail server.") var address = "localhost:143"

  func run(in service: RunningService) async throws {
    let connection = await MailConnection.open(address)
    service.context.provide(connection, for: .mail)
    service.report(.healthy("connected to \(address)"))
    service.markReady()
    try await service.untilShutdown()
    await connection.close()
  }
}

/// A fake connection to a mail server.
actor MailConnection {
  /// The address of the server; `nil` after ``close()``.
  private(set) var address: String?

  private init(_ address: String) { self.address = address }

  static func open(_ address: String) async -> MailConnection { MailConnection(address) }

  func close() { address = nil }
}

extension ContextKey<MailConnection> {
  /// The connection to the mail server.
  static var mail: Self { Self("mail") }
}

/// Runs a plan with services until the process receives TERM or INT.
public func stay(_ plan: LaunchPlan) async throws {
  let runner = try ServiceRunner(plan, handlesSignals: true)
  try await runner.run()
}
