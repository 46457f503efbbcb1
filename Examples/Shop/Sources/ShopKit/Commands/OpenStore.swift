public import AppBoot

/// The shop's data: how many orders there are, in a format that has changed once.
public struct ShopStore: Sendable, Hashable, CustomStringConvertible {
  static let version = 2
  /// The number of orders.
  public var orders: Int

  /// The text of the home screen.
  public var description: String { "\(orders) orders" }

  struct Unreadable: Error, CustomStringConvertible {
    let description = "the store's file is of no version that is known"
  }

  /// Version 1 was the number alone; version 2 says its version first.
  init(parsing text: String) throws {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    switch (words.count, words.first, words.last.flatMap { Int($0) }) {
    case (1, _, let orders?): self.orders = orders
    case (2, "v2", let orders?): self.orders = orders
    default: throw Unreadable()
    }
  }

  var text: String { "v\(Self.version) \(orders)\n" }
}

extension ContextKey<ShopStore> {
  /// The store that `OpenStore` opened.
  public static var store: Self { Self("store") }
}

/// Opens the store, after it has brought its file to the present version.
public struct OpenStore: Command {
  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Opens the store, after it has brought its file to the present version.",
    provides: .store)

  /// Creates the command.
  public init() {}

  /// Opens the store.
  ///
  /// - Throws: An error for an unknown version of the file; errors of the state.
  public func execute(in context: LaunchContext) throws {
    let text = try context.state.read("store.txt").map { String(decoding: $0, as: UTF8.self) } ?? "v2 0\n"
    let store = try context.measure("migrate") { try ShopStore(parsing: text) }
    if store.text != text { try context.state.write("store.txt", Array(store.text.utf8)) }
    context.provide(store, for: .store)
    context.note(store.description + (store.text == text ? "" : ", migrated"))
  }
}

/// Keeps the store; on the lists for the background and the end.
public struct SaveStore: Command {
  /// The command's help, lane and context values.
  public static let options = CommandOptions(abstract: "Keeps the store's data.", requires: .store)

  /// Creates the command.
  public init() {}

  /// Writes the store that the launch opened.
  ///
  /// - Throws: `ContextValueError` without an open store; errors of the state.
  public func execute(in context: LaunchContext) throws {
    try context.state.write("store.txt", Array(context.require(.store).text.utf8))
  }
}
