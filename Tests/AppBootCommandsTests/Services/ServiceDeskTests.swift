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

  /// Carries out requests for a service that is ready, in this order, and lets it end. Returns the answers in the order
  /// of the requests, and the number of starts.
  private func answers(to actions: [ServiceAction]) throws -> (answers: [String], starts: Int) {
    let (starts, answers) = (Lock(0), Lock<[Int: String]>([:]))
    let service = Service.fake { starts.withLock { $0 += 1 } }
    _ = try service.becomeReady()
    let supervisor = try ServiceSupervisor { _ in }
    var desk = ServiceDesk(supervisor: supervisor)
    for (index, action) in actions.enumerated() {
      desk.take([
        ServiceRequest(action: action, service: service, limit: nil) { answer in
          let words =
            switch answer {
            case .done(let status): "\(status.state)"
            case .failed(_, let reason): reason
            case .unchanged, .refused: "\(answer)"
            }
          answers.withLock { $0[index] = words }
        }
      ])
      desk.settle(service)
    }
    service.stayDown()
    desk.settle(service)
    if service.phase == .starting {
      _ = service.advance()
      desk.becameReady(service)
    }
    return withExtendedLifetime(supervisor) {
      (actions.indices.map { answers.withLock(\.self)[$0] ?? "none" }, starts.withLock(\.self))
    }
  }

  @Test("Concurrent starts and restarts of a service are one restart")
  func together() throws {
    let result = try answers(to: [.restart, .restart, .start])
    #expect(result.answers == ["ready", "ready", "ready"])
    #expect(result.starts == 2)
  }

  @Test("A stop makes a pending restart fail, and the service stays down")
  func stopped() throws {
    let result = try answers(to: [.restart, .stop])
    #expect(result.answers == ["another request stopped it", "stopped"])
    #expect(result.starts == 1)
  }

  @Test("A restart after a stop that has not ended starts the service again")
  func restarted() throws {
    let result = try answers(to: [.stop, .restart])
    #expect(result.answers == ["stopped", "ready"])
    #expect(result.starts == 2)
  }
}
