import AppBoot
import AppBootSystem
import AppBootTestKit
import Testing

@testable import AppBootCommands

@Suite("ServiceDesk")
struct ServiceDeskTests {
  /// Carries out requests for a service that is ready, in this order, and lets it end. Returns the answers in the order
  /// of the requests, and the number of starts.
  private func answers(
    to actions: [ServiceAction], keepsStopped: Bool = false
  ) throws -> (answers: [String], starts: Int) {
    let (starts, answers) = (Lock(0), Lock<[Int: String]>([:]))
    let service = Service.fake { starts.withLock { $0 += 1 } }
    _ = try service.becomeReady()
    let supervisor = try ServiceSupervisor { _ in }
    var desk = ServiceDesk(supervisor: supervisor)
    for (index, action) in actions.enumerated() {
      desk.take(
        [
          ServiceRequest(action: action, service: service, keepsStopped: keepsStopped) { answer in
            let words =
              switch answer {
              case .done(let status): "\(status.state)"
              case .failed(_, let reason): reason
              case .unchanged, .refused: "\(answer)"
              }
            answers.withLock { $0[index] = words }
          }
        ], at: 0)
      desk.settle(service, at: 0)
    }
    service.stayDown()
    desk.settle(service, at: 0)
    if case .starting = service.phase {
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

  @Test("A stop that was requested before another entry replaced the service stops the new service")
  func replaced() throws {
    let (old, new) = (Service.fake(), Service.fake(isReady: false))
    _ = try old.becomeReady()
    let supervisor = try ServiceSupervisor { _ in }
    supervisor.keep(old)
    var desk = ServiceDesk(supervisor: supervisor)
    desk.take([ServiceRequest(action: .restart, service: old, replacement: new) { _ in }], at: 0)
    old.stayDown()
    desk.settle(old, at: 0)
    #expect(new.status.state == .starting)
    desk.take([ServiceRequest(action: .stop, service: old) { _ in }], at: 0)
    #expect(new.phase.stop != nil)
    withExtendedLifetime(supervisor) {}
  }

  @Test("A restart after a stop that has not ended starts the service again")
  func restarted() throws {
    let result = try answers(to: [.stop, .restart])
    #expect(result.answers == ["stopped", "ready"])
    #expect(result.starts == 2)
  }

  @Test(
    "A restart after a change of files does not undo a stop that has not ended, but joins another restart")
  func keptStopped() throws {
    let result = try answers(to: [.stop, .restart], keepsStopped: true)
    #expect(result.answers == ["stopped", "another request stopped it"])
    #expect(result.starts == 1)
    let other = try answers(to: [.restart, .restart], keepsStopped: true)
    #expect(other.answers == ["ready", "ready"] && other.starts == 2)
  }
}
