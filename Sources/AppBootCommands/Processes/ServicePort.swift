public import AppBoot
import AppBootSystem

/// A TCP port of a service: a number, or the first one of a search for a free port.
///
/// ```swift
/// var web = RunService("./server", ["--port", "{port}"], ready: .http("http://127.0.0.1:{port}/"))
/// web.port = .from(8080)
/// ```
public struct ServicePort: ParameterGroup, ExpressibleByIntegerLiteral {
  private static var schema: ParameterSchema { .optional(.integer(minimum: 1, maximum: 65535)) }

  /// The port. The start fails if another process has it.
  @Parameter("The port. The start fails if another process has it.", schema: schema)
  var number: Int?

  /// The port from which the next free one is searched.
  @Parameter("The port from which the next free one is searched.", schema: schema)
  var from: Int?

  /// Creates a port without a number.
  public init() {}

  /// Creates a port with a number.
  public init(integerLiteral value: Int) { number = value }

  /// Returns the next free port from a number on.
  public static func from(_ first: Int) -> Self {
    var port = Self()
    port.from = first
    return port
  }

  /// Rejects a port without a number, and numbers that are not ports.
  public func validate(_ validation: inout ParameterValidation) {
    if (number == nil) == (from == nil), validation.isReadable("number"), validation.isReadable("from") {
      validation.reject("give a number, or { \"from\": 8080 } for the next free port")
    }
    for (name, port) in [("number", number), ("from", from)] {
      if let port { validation.check(port, isIn: 1...65535, at: [.key(name)]) }
    }
  }

  /// The ports that are possible.
  var range: ClosedRange<UInt16> {
    let first = UInt16(clamping: number ?? from ?? 1)
    return first...(from == nil ? first : .max)
  }
}

extension ServicePort: ParameterChoice {
  package static var shared: [String] { [] }

  /// An object, or the number.
  public static var parameterType: ParameterType<ServicePort> { parameterType(orOnly: "number") }
}

/// The numbers of a service's ports, by their names in `ports`. The one of `port` has no name.
package struct PortNumbers: Sendable, Hashable {
  let numbers: [String: UInt16]

  init(_ numbers: [String: UInt16] = [:]) { self.numbers = numbers }

  /// The environment variables: `PORT`, and `PORT_NAME` for one with a name.
  var variables: [String: String] {
    Dictionary(numbers.map { (Self.variable(of: $0), String($1)) }) { first, _ in first }
  }

  /// Returns the name of the variable of a port.
  static func variable(of name: String) -> String {
    let letters = name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
    return name.isEmpty ? "PORT" : "PORT_" + String(letters)
  }

  /// Returns a text with `{port}` and `{port.NAME}` replaced. Without ports, all braces stay as they are.
  func filled(_ text: String) -> String {
    guard !numbers.isEmpty else { return text }
    return Self.scanner.filled(text) { name in
      Self.name(in: name, after: "port").flatMap { numbers[$0] }.map { String($0) } ?? "{\(name)}"
    }
  }

  /// Writes the members `port` and `ports` of the JSON object that is open in the writer.
  func write(to writer: inout JSONWriter) {
    if let port = numbers[""] { writer.member("port", Int(port)) }
    let named = numbers.filter { !$0.key.isEmpty }.sorted { $0.key < $1.key }
    if named.isEmpty { return }
    writer.key("ports")
    writer.object { writer in
      for (name, port) in named { writer.member(name, Int(port)) }
    }
  }

  /// The ports in words, for example `port 8080` or `ports admin 9000, http 8080`; `nil` without ports.
  var words: String? { Self.words(numbers.map { ($0, Int($1)) }) }

  /// Returns named ports in words; `nil` without ports.
  package static func words(_ numbers: [(name: String, number: Int)]) -> String? {
    guard !numbers.isEmpty else { return nil }
    let texts = numbers.sorted { $0.name < $1.name }
      .map { $0.name.isEmpty ? "\($0.number)" : "\($0.name) \($0.number)" }
    return (texts.count == 1 ? "port " : "ports ") + texts.joined(separator: ", ")
  }

  // A scanner's placeholder has at least one byte after the prefix.
  private static let scanner = PlaceholderScanner("por")
  private static let serviceScanner = PlaceholderScanner("service.")

  /// Returns the names of the ports in a text's placeholders. A name is empty for `{port}`.
  static func names(in text: String) -> [String] {
    scanner.names(in: text).compactMap { name(in: $0, after: "port") }
  }

  /// Returns the placeholders of ports in a text, each with a value that takes its place in checks.
  static func placeholders(in text: String) -> [String: String] {
    Dictionary(names(in: text).map { ($0.isEmpty ? "port" : "port.\($0)", "1") }) { first, _ in first }
  }

  /// Returns the placeholders `service.ID.port` and `service.ID.port.NAME` of a text.
  static func services(in text: String) -> [String] { serviceScanner.names(in: text) }

  /// Returns the name of a port in a placeholder: empty for the prefix itself, and otherwise the text after a dot.
  private static func name(in placeholder: some StringProtocol, after prefix: String) -> String? {
    if placeholder == prefix { return "" }
    guard placeholder.hasPrefix(prefix + ".") else { return nil }
    return String(placeholder.dropFirst(prefix.count + 1))
  }

  /// Splits the placeholder of another service's port into its id and the port's name; `nil` for any other text.
  static func reference(_ placeholder: String) -> (id: String, name: String)? {
    guard let rest = placeholder.dropping(prefix: "service.") else { return nil }
    if rest.hasSuffix(".port") { return (String(rest.dropLast(5)), "") }
    guard let dot = rest.lastIndex(of: "."), rest[..<dot].hasSuffix(".port") else { return nil }
    return (String(rest[..<dot].dropLast(5)), String(rest[rest.index(after: dot)...]))
  }
}

/// The ports that the services of an app have reserved. A service keeps its ports until the app ends.
package final class PortReservations: Sendable {
  private let leases = Lock<[String: [String: PortLease]]>([:])

  /// Returns the ports of a service. The first call reserves them.
  ///
  /// - Throws: `PortTaken` if a port is not free.
  func reserve(_ ports: [String: ServicePort], of id: String) throws(PortTaken) -> PortNumbers {
    try leases.withLock { leases throws(PortTaken) in
      let old = leases[id] ?? [:]
      var new: [String: PortLease] = [:]
      for (name, port) in ports.sorted(by: { $0.key < $1.key }) {
        let kept = old[name].flatMap { port.range.contains($0.port) ? $0 : nil }
        new[name] = if let kept { kept } else { try PortLease.take(in: port.range) }
      }
      leases[id] = new.isEmpty ? nil : new
      return PortNumbers(new.mapValues(\.port))
    }
  }

  /// Releases all ports, because all services have ended.
  func release() { leases.withLock { $0 = [:] } }

  /// Returns the port of a service; `nil` if it has none with the name.
  func port(_ name: String, of id: String) -> UInt16? { leases.withLock { $0[id]?[name]?.port } }
}

/// A host of services that reserves their ports.
protocol PortReserving {
  var ports: PortReservations { get }
}

extension LaunchContext {
  /// Returns the value of a placeholder `service.ID.port`.
  ///
  /// - Throws: `PlaceholderError` if the service has no such port.
  func port(ofPlaceholder placeholder: String) throws(PlaceholderError) -> String {
    guard let (id, name) = PortNumbers.reference(placeholder),
      let port = (services as? any PortReserving)?.ports.port(name, of: id)
    else { throw .noPort(placeholder) }
    return String(port)
  }
}

extension ParameterValidation {
  /// Requires the services whose ports a text inserts. Rejects placeholders that are not of a port.
  mutating func requireServices(in text: String, at places: [Place]) {
    for placeholder in PortNumbers.services(in: text) {
      if let (id, name) = PortNumbers.reference(placeholder), !id.isEmpty {
        require(id, for: "{\(placeholder.excerpt)}", at: places, need: .port(name))
      } else {
        let forms = "{service.ID.port}, or {service.ID.port.NAME} for one of \"ports\""
        reject("unknown placeholder {\(placeholder.excerpt)}: write \(forms)", at: places)
      }
    }
  }

  /// Rejects invalid names of ports, a variable that is set twice, and placeholders of ports that are not declared.
  ///
  /// - Parameter texts: The texts of the service that may have placeholders, with their parameters.
  mutating func checkPorts(
    _ ports: [String: ServicePort], environment: [String: String], in texts: [(text: String, place: String)]
  ) {
    for name in ports.keys.sorted() where !name.isEmpty {
      if !name.utf8.allSatisfy({ $0.isWord || $0 == UInt8(ascii: "-") }) {
        reject("a port's name has only letters, digits, \"_\" and \"-\"", at: "ports", .key(name))
      }
    }
    let named = Dictionary(grouping: ports.keys, by: PortNumbers.variable(of:))
    for (variable, names) in named.sorted(by: { $0.key < $1.key }) where names.count > 1 {
      reject("\(names.sorted().quoted) have the same variable \(variable): rename one", at: "ports")
    }
    // The ports are reserved in this order.
    var taken: Set<UInt16> = []
    for (name, port) in ports.sorted(by: { $0.key < $1.key }) {
      let isNew = taken.insert(port.range.lowerBound).inserted
      guard !isNew, let number = port.number else { continue }
      let places: [Place] = name.isEmpty ? ["port"] : ["ports", .key(name)]
      reject("\(number) is another port of the service: give each port its own number", at: places)
    }
    for variable in named.keys.sorted() where environment[variable] != nil {
      reject("the port of the service sets this variable: remove it here", at: "environment", .key(variable))
    }
    for (text, place) in texts {
      for name in PortNumbers.names(in: text) where ports[name] == nil {
        // In arguments of a service without ports, braces are plain text.
        if ports.isEmpty, place == "arguments" || place == "environment" || place == "directory" { continue }
        let (key, placeholder) = name.isEmpty ? ("port", "{port}") : ("ports", "{port.\(name.excerpt)}")
        reject("\(placeholder) has no value: declare it in \"\(key)\" of the service", at: .key(place))
      }
    }
  }
}
