extension Step {
  /// Creates a step that runs a closure.
  ///
  /// A closure that requires one or two values can take them as arguments:
  /// `Step("index", requiring: .notes) { _, notes in try index(notes) }`.
  ///
  /// - Parameters:
  ///   - keys: The context values that the closure requires.
  ///   - lane: The lane that the closure runs on.
  public init<each Required: Sendable>(
    _ id: String, requiring keys: repeat ContextKey<each Required>, lane: Lane = .background,
    fileID: String = #fileID, line: Int = #line,
    run: @escaping @Sendable (_ context: LaunchContext) throws -> Void
  ) {
    let traits = ClosureTraits(requires: ContextKeys(repeat each keys), lane: lane)
    self.init(id, ClosureCommand(traits: traits, body: run), fileID: fileID, line: line)
  }

  /// Creates a step that runs a closure which suspends. It runs as a task in the background.
  ///
  /// - Parameter keys: The context values that the closure requires.
  public init<each Required: Sendable>(
    _ id: String, requiring keys: repeat ContextKey<each Required>, fileID: String = #fileID,
    line: Int = #line, run: @escaping @Sendable (_ context: LaunchContext) async throws -> Void
  ) {
    let traits = ClosureTraits(requires: ContextKeys(repeat each keys))
    self.init(id, AsyncClosureCommand(traits: traits, body: run), fileID: fileID, line: line)
  }

  /// Returns a step that runs a closure on the main actor, for example because it uses the user interface.
  ///
  /// The main thread must be free meanwhile, as for a ``MainActorCommand``.
  ///
  /// - Parameter keys: The context values that the closure requires.
  public static func onMainActor<each Required: Sendable>(
    _ id: String, requiring keys: repeat ContextKey<each Required>, fileID: String = #fileID,
    line: Int = #line, run: @escaping @MainActor @Sendable (_ context: LaunchContext) async throws -> Void
  ) -> Step {
    let traits = ClosureTraits(requires: ContextKeys(repeat each keys))
    let command = AsyncClosureCommand(traits: traits) { try await run($0) }
    return Step(id, command, fileID: fileID, line: line)
  }

  /// Creates a step that runs a closure and provides its result to later steps.
  ///
  /// - Parameters:
  ///   - key: The key of the result.
  ///   - keys: The context values that the closure requires.
  ///   - lane: The lane that the closure runs on.
  public init<Value, each Required: Sendable>(
    _ id: String, providing key: ContextKey<Value>, requiring keys: repeat ContextKey<each Required>,
    lane: Lane = .background, fileID: String = #fileID, line: Int = #line,
    run: @escaping @Sendable (_ context: LaunchContext) throws -> Value
  ) {
    let traits = ClosureTraits(
      provides: ContextKeys(key), requires: ContextKeys(repeat each keys), lane: lane)
    let command = ClosureCommand(traits: traits) { $0.provide(try run($0), for: key) }
    self.init(id, command, fileID: fileID, line: line)
  }

  /// Creates a step that runs a closure which suspends, and provides its result to later steps.
  ///
  /// - Parameters:
  ///   - key: The key of the result.
  ///   - keys: The context values that the closure requires.
  public init<Value, each Required: Sendable>(
    _ id: String, providing key: ContextKey<Value>, requiring keys: repeat ContextKey<each Required>,
    fileID: String = #fileID, line: Int = #line,
    run: @escaping @Sendable (_ context: LaunchContext) async throws -> Value
  ) {
    let traits = ClosureTraits(provides: ContextKeys(key), requires: ContextKeys(repeat each keys))
    let command = AsyncClosureCommand(traits: traits) { $0.provide(try await run($0), for: key) }
    self.init(id, command, fileID: fileID, line: line)
  }
}

// Closures that take the values of one or two keys. There is a function for each number of keys, because the compiler
// of Swift 6.3 crashes if a closure has a wrong number of parameters and a parameter pack is expected.
extension Step {
  /// Creates a step that runs a closure with the value of a key.
  public init<First>(
    _ id: String, requiring first: ContextKey<First>, lane: Lane = .background, fileID: String = #fileID,
    line: Int = #line,
    run: @escaping @Sendable (_ context: LaunchContext, First) throws -> Void
  ) {
    self.init(id, requiring: first, lane: lane, fileID: fileID, line: line) { try run($0, $0.require(first)) }
  }

  /// Creates a step that runs an asynchronous closure with the value of a key.
  public init<First>(
    _ id: String, requiring first: ContextKey<First>, fileID: String = #fileID, line: Int = #line,
    run: @escaping @Sendable (_ context: LaunchContext, First) async throws -> Void
  ) {
    self.init(id, requiring: first, fileID: fileID, line: line) { try await run($0, $0.require(first)) }
  }

  /// Returns a step that runs a closure on the main actor with the value of a key.
  public static func onMainActor<First>(
    _ id: String, requiring first: ContextKey<First>, fileID: String = #fileID, line: Int = #line,
    run: @escaping @MainActor @Sendable (_ context: LaunchContext, First) async throws -> Void
  ) -> Step {
    onMainActor(id, requiring: first, fileID: fileID, line: line) { try await run($0, $0.require(first)) }
  }

  /// Creates a step that runs a closure with the value of a key, and provides its result.
  public init<Value, First>(
    _ id: String, providing key: ContextKey<Value>, requiring first: ContextKey<First>,
    lane: Lane = .background, fileID: String = #fileID, line: Int = #line,
    run: @escaping @Sendable (_ context: LaunchContext, First) throws -> Value
  ) {
    self.init(id, providing: key, requiring: first, lane: lane, fileID: fileID, line: line) {
      try run($0, $0.require(first))
    }
  }

  /// Creates a step that runs an asynchronous closure with the value of a key, and provides its result.
  public init<Value, First>(
    _ id: String, providing key: ContextKey<Value>, requiring first: ContextKey<First>,
    fileID: String = #fileID, line: Int = #line,
    run: @escaping @Sendable (_ context: LaunchContext, First) async throws -> Value
  ) {
    self.init(id, providing: key, requiring: first, fileID: fileID, line: line) {
      try await run($0, $0.require(first))
    }
  }

  /// Creates a step that runs a closure with the values of two keys.
  public init<First, Second>(
    _ id: String, requiring first: ContextKey<First>, _ second: ContextKey<Second>, lane: Lane = .background,
    fileID: String = #fileID, line: Int = #line,
    run: @escaping @Sendable (_ context: LaunchContext, First, Second) throws -> Void
  ) {
    self.init(id, requiring: first, second, lane: lane, fileID: fileID, line: line) {
      try run($0, $0.require(first), $0.require(second))
    }
  }

  /// Creates a step that runs an asynchronous closure with the values of two keys.
  public init<First, Second>(
    _ id: String, requiring first: ContextKey<First>, _ second: ContextKey<Second>, fileID: String = #fileID,
    line: Int = #line,
    run: @escaping @Sendable (_ context: LaunchContext, First, Second) async throws -> Void
  ) {
    self.init(id, requiring: first, second, fileID: fileID, line: line) {
      try await run($0, $0.require(first), $0.require(second))
    }
  }

  /// Returns a step that runs a closure on the main actor with the values of two keys.
  public static func onMainActor<First, Second>(
    _ id: String, requiring first: ContextKey<First>, _ second: ContextKey<Second>, fileID: String = #fileID,
    line: Int = #line,
    run: @escaping @MainActor @Sendable (_ context: LaunchContext, First, Second) async throws -> Void
  ) -> Step {
    onMainActor(id, requiring: first, second, fileID: fileID, line: line) {
      try await run($0, $0.require(first), $0.require(second))
    }
  }

  /// Creates a step that runs a closure with the values of two keys, and provides its result.
  public init<Value, First, Second>(
    _ id: String, providing key: ContextKey<Value>, requiring first: ContextKey<First>,
    _ second: ContextKey<Second>, lane: Lane = .background, fileID: String = #fileID, line: Int = #line,
    run: @escaping @Sendable (_ context: LaunchContext, First, Second) throws -> Value
  ) {
    self.init(id, providing: key, requiring: first, second, lane: lane, fileID: fileID, line: line) {
      try run($0, $0.require(first), $0.require(second))
    }
  }

  /// Creates a step that runs an asynchronous closure with the values of two keys, and provides its result.
  public init<Value, First, Second>(
    _ id: String, providing key: ContextKey<Value>, requiring first: ContextKey<First>,
    _ second: ContextKey<Second>, fileID: String = #fileID, line: Int = #line,
    run: @escaping @Sendable (_ context: LaunchContext, First, Second) async throws -> Value
  ) {
    self.init(id, providing: key, requiring: first, second, fileID: fileID, line: line) {
      try await run($0, $0.require(first), $0.require(second))
    }
  }
}

// Without these, the compiler says of a closure without a parameter only that it "failed to produce diagnostic".
extension Step {
  /// Unavailable: the closure of a step takes the context as its parameter.
  @available(*, unavailable, message: "begin the closure with its parameter: \"context in\" or \"_ in\"")
  public init(_ id: String, lane: Lane = .background, run: @escaping @Sendable () async throws -> Void) {
    self.init(id) { _ async throws in try await run() }
  }

  /// Unavailable: the closure of a step takes the context as its parameter.
  @available(*, unavailable, message: "begin the closure with its parameter: \"context in\" or \"_ in\"")
  public init<Value>(
    _ id: String, providing key: ContextKey<Value>, lane: Lane = .background,
    run: @escaping @Sendable () async throws -> Value
  ) {
    self.init(id, providing: key) { _ async throws in try await run() }
  }

  /// Unavailable: the closure of a step takes the context as its parameter.
  @available(*, unavailable, message: "begin the closure with its parameter: \"context in\" or \"_ in\"")
  public static func onMainActor(
    _ id: String, run: @escaping @MainActor @Sendable () async throws -> Void
  ) -> Step {
    onMainActor(id) { _ in try await run() }
  }
}
