import AppBoot
import AppBootLifecycle
import AppBootSystem

/// The pattern of a store: one state, actions, a reducer and weak subscribers.
enum StoreListing {
  enum Change: Sendable {
    case received(Int)
    case readAll
  }

  @MainActor protocol StateSubscriber: AnyObject {
    func newState(_ unread: Int)
  }

  @MainActor final class StateStore {
    private final class Reference {
      weak var subscriber: (any StateSubscriber)?
      init(_ subscriber: any StateSubscriber) { self.subscriber = subscriber }
    }

    private(set) var unread = 0 {
      didSet {
        references.removeAll { $0.subscriber == nil }
        guard unread != oldValue else { return }
        for reference in references { reference.subscriber?.newState(unread) }
      }
    }
    private var references: [Reference] = []
    private let reduce: (Int, Change) -> Int

    init(reduce: @escaping (Int, Change) -> Int) { self.reduce = reduce }

    func dispatch(_ change: Change) { unread = reduce(unread, change) }

    func subscribe(_ subscriber: any StateSubscriber) {
      unsubscribe(subscriber)
      references.append(Reference(subscriber))
      subscriber.newState(unread)
    }

    func unsubscribe(_ subscriber: any StateSubscriber) {
      references.removeAll { $0.subscriber === subscriber }
    }
  }

  @MainActor final class Badge: StateSubscriber {
    var texts: [String] = []
    func newState(_ unread: Int) { texts.append("\(unread)") }
  }

  @MainActor static func countWithPattern(_ badge: Badge) -> StateStore {
    let store = StateStore { unread, change in
      switch change {
      case .received(let count): unread + count
      case .readAll: 0
      }
    }
    store.subscribe(badge)
    return store
  }

  @MainActor final class BadgeView {
    var texts: [String] = []
  }

  @MainActor static func count(_ badge: BadgeView) -> LifecycleStore<Int, Change> {
    let store = LifecycleStore<Int, Change>(
      0,
      reducer: .init { unread, change in
        switch change {
        case .received(let count): unread += count
        case .readAll: unread = 0
        }
      })
    store.subscribe(badge, to: \.self) { badge, unread in badge.texts.append("\(unread)") }
    return store
  }
}
