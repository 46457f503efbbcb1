import AppBoot
import AppBootSystem
import AppBootTestKit
import Testing

@testable import AppBootCommands

@Suite("ServiceDesk")
struct ServiceDeskTests {
  @Test("A request that joins a restart does not change its limit")
  func joinedLimit() throws {
    let context = StartupPlan(sequence: [FakeCommand()]).detachedContexts()(0)
    let start = ServiceProcess.Start(
      request: ProcessRequest(["sleep", "60"], of: context), context: context,
      probe: { try ProbeCondition.file("none").start(in: context) })
    let service = Service(
      id: "a", restart: RestartPolicy(), grace: .seconds(10), stopSignal: Signals.terminate, onExit: .fail,
      context: context
    ) { try ServiceProcess(start) }
    service.stayDown()
    let answers = Lock<[ServiceAnswer]>([])
    func request(limit: Int64?) -> ServiceRequest {
      ServiceRequest(action: .restart, service: service, limit: limit) { answer in
        answers.withLock { $0.append(answer) }
      }
    }
    let supervisor = try ServiceSupervisor { _ in }
    var desk = ServiceDesk(supervisor: supervisor)
    desk.take([request(limit: 1)])
    desk.settle(service)
    #expect(service.pid != nil)
    desk.take([request(limit: nil)])
    desk.settle(service)
    service.abandon()
    desk.settle(service)
    let reasons = answers.withLock(\.self).map { answer in
      if case .failed(_, let reason) = answer { reason } else { "\(answer)" }
    }
    #expect(reasons.count == 2 && reasons.allSatisfy { $0.hasPrefix("was not ready within 1ns") })
    withExtendedLifetime(supervisor) {}
  }
}
