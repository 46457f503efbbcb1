import AppBoot

/// A key-value pair (attribute) of OTLP.
enum OTLPAttribute {
  case string(String, String)
  case integer(String, Int64)
  case flag(String, Bool)

  var name: String {
    switch self {
    case .string(let name, _), .integer(let name, _), .flag(let name, _): name
    }
  }
}

/// A span of OTLP. Its times are nanoseconds since 1970.
struct OTLPSpan {
  /// An event within a span.
  struct Event {
    let name: String
    let time: Int64
    let attributes: [OTLPAttribute]

    /// Creates the event of a failure. It follows OpenTelemetry's semantic conventions for exceptions.
    static func exception(_ failure: Failure, at time: Int64) -> Event {
      var attributes: [OTLPAttribute] = [.string("exception.message", failure.description)]
      if !failure.type.isEmpty { attributes.append(.string("exception.type", failure.type)) }
      return Event(name: "exception", time: time, attributes: attributes)
    }
  }

  let traceID: String
  let id: String
  let parent: String?
  let name: String
  let start: Int64
  let end: Int64
  var attributes: [OTLPAttribute] = []
  var events: [Event] = []
  /// The ids of the spans in the same trace that precede this span.
  var links: [String] = []
  /// The error message; `nil` for success.
  var error: String?

  init(traceID: String, id: String, parent: String?, name: String, start: Int64, end: Int64) {
    self.traceID = traceID
    self.id = id
    self.parent = parent
    self.name = name
    self.start = start
    self.end = end
  }

  /// Writes the span as JSON. 64-bit integers are strings, as in Protocol Buffers' JSON mapping.
  func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("traceId", traceID)
      writer.member("spanId", id)
      if let parent { writer.member("parentSpanId", parent) }
      writer.member("name", name)
      // SPAN_KIND_INTERNAL
      writer.member("kind", 1)
      writer.member("startTimeUnixNano", String(start))
      writer.member("endTimeUnixNano", String(end))
      writer.attributes(attributes)
      writeEvents(to: &writer)
      writeLinks(to: &writer)
      writer.key("status")
      writer.object { writer in
        // STATUS_CODE_ERROR, STATUS_CODE_OK
        writer.member("code", error == nil ? 1 : 2)
        if let error { writer.member("message", error) }
      }
    }
  }

  private func writeEvents(to writer: inout JSONWriter) {
    guard !events.isEmpty else { return }
    writer.key("events")
    writer.array { writer in
      for event in events {
        writer.object { writer in
          writer.member("timeUnixNano", String(event.time))
          writer.member("name", event.name)
          writer.attributes(event.attributes)
        }
      }
    }
  }

  private func writeLinks(to writer: inout JSONWriter) {
    guard !links.isEmpty else { return }
    writer.key("links")
    writer.array { writer in
      for link in links {
        writer.object { writer in
          writer.member("traceId", traceID)
          writer.member("spanId", link)
        }
      }
    }
  }
}

extension JSONWriter {
  /// Writes a member whose value is an array with one object.
  mutating func objects(_ name: String, _ members: (inout JSONWriter) -> Void) {
    key(name)
    array { $0.object(members) }
  }

  mutating func attributes(_ attributes: [OTLPAttribute]) {
    guard !attributes.isEmpty else { return }
    key("attributes")
    array { writer in
      for attribute in attributes { writer.object { $0.write(attribute) } }
    }
  }

  private mutating func write(_ attribute: OTLPAttribute) {
    switch attribute {
    case .string(let name, let text):
      member("key", name)
      key("value")
      object { $0.member("stringValue", text) }
    case .integer(let name, let number):
      member("key", name)
      key("value")
      object { $0.member("intValue", String(number)) }
    case .flag(let name, let flag):
      member("key", name)
      key("value")
      object { $0.member("boolValue", flag) }
    }
  }
}
