import AppBoot
import AppBootLifecycle
import AppBootSystem
import AppBootTestSupport

/// The pattern Mediator: listeners of the app's state that know neither its source nor each other.
enum MediatorListing {
  protocol StateListener: AnyObject, Sendable {
    func onForeground()
    func onBackground()
  }

  final class Video: StateListener {
    let log: Log
    init(log: Log) { self.log = log }
    func onForeground() { log.add("play") }
    func onBackground() { log.add("pause") }
  }

  final class Socket: StateListener {
    let log: Log
    init(log: Log) { self.log = log }
    func onForeground() {}
    func onBackground() { log.add("disconnect") }
  }

  final class StateMediator: Sendable {
    private let source: any LifecycleEventSource
    private let listeners: [any StateListener]

    init(_ source: any LifecycleEventSource, _ listeners: [any StateListener]) throws {
      self.source = source
      self.listeners = listeners
      try subscribe()
    }

    deinit { source.stop() }

    private func subscribe() throws {
      try source.start { [weak self] event in
        switch event {
        case .willEnterForeground: self?.listeners.forEach { $0.onForeground() }
        case .didEnterBackground: self?.listeners.forEach { $0.onBackground() }
        default: break
        }
      }
    }

    static func makeDefaultMediator(_ source: any LifecycleEventSource, _ log: Log) throws
      -> StateMediator
    {
      try StateMediator(source, [Video(log: log), Socket(log: log)])
    }
  }

  final class VideoListener: LifecycleListener {
    let log: Log
    init(log: Log) { self.log = log }
    func receive(_ event: LifecycleEvent) {
      switch event {
      case .willEnterForeground: log.add("play")
      case .didEnterBackground: log.add("pause")
      default: break
      }
    }
  }

  final class SocketListener: LifecycleListener {
    let log: Log
    init(log: Log) { self.log = log }
    func receive(_ event: LifecycleEvent) {
      if case .didEnterBackground = event { log.add("disconnect") }
    }
  }

  static func makeMediator(_ source: any LifecycleEventSource, _ log: Log) throws -> LifecycleMediator {
    try .makeDefaultMediator(source: source, listeners: [VideoListener(log: log), SocketListener(log: log)])
  }
}
