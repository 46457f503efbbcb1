import AppBoot

extension ScreenFlow {
  /// The format version of the restoration data.
  static let formatVersion = 1

  /// The flow as JSON: `{ "version", "name", "layers": [[{ "name", "title", "text" }]], "children": [ … ] }`.
  var json: String {
    var writer = JSONWriter()
    write(to: &writer, isRoot: true)
    return writer.text
  }

  private func write(to writer: inout JSONWriter, isRoot: Bool = false) {
    writer.object { writer in
      if isRoot { writer.member("version", Self.formatVersion) }
      writer.member("name", name)
      writer.key("layers")
      writer.array { writer in
        for layer in layers {
          writer.array { writer in
            for screen in layer { screen.write(to: &writer) }
          }
        }
      }
      writer.key("children")
      writer.array { writer in
        for child in children { child.write(to: &writer) }
      }
    }
  }

  /// Creates a flow from restoration data. The flow gets the given name.
  init(json text: String, name: String) throws(RestorationError) {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONDocument(parsing: SourceText(name: "restoration data", text: text)).root
    } catch {
      throw .notJSON(error.diagnostics.first?.message ?? "it cannot be read")
    }
    guard let version = try? root["version"]?.integer(as: Int.self) else { throw .malformed("version") }
    guard version == Self.formatVersion else { throw .unknownVersion(version) }
    try self.init(root, name: name)
  }

  private init(_ value: JSONValue, name: String) throws(RestorationError) {
    self.init(name: name)
    guard let layers = value["layers"], layers.kind == .array else { throw .malformed("layers") }
    for layer in layers.elements {
      var screens: [AppScreen] = []
      for screen in layer.elements { screens.append(try AppScreen(screen)) }
      guard !screens.isEmpty else { throw .malformed("layers") }
      self.layers.append(screens)
    }
    guard let children = value["children"], children.kind == .array else { throw .malformed("children") }
    for child in children.elements {
      guard let name = child["name"]?.string else { throw .malformed("name") }
      self.children.append(try ScreenFlow(child, name: name))
    }
  }
}

extension AppScreen {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("title", title)
      writer.member("text", text)
    }
  }

  fileprivate init(_ value: JSONValue) throws(RestorationError) {
    guard let name = value["name"]?.string else { throw .malformed("name") }
    guard let title = value["title"]?.string else { throw .malformed("title") }
    guard let text = value["text"]?.string else { throw .malformed("text") }
    self.init(name: name, title: title, text: text)
  }
}

/// An error in restoration data.
package enum RestorationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The data is not JSON. The value is the first syntax error.
  case notJSON(String)
  /// The data was saved by a version of the app that uses another format. The value is the format's version.
  case unknownVersion(Int)
  /// A member is missing or has the wrong type. The value is the member's name.
  case malformed(String)

  /// The error message.
  package var description: String {
    switch self {
    case .notJSON(let reason): "the restoration data is not JSON: \(reason)"
    case .unknownVersion(let version):
      "the restoration data has version \(version), which this app cannot read"
    case .malformed(let member): "the restoration data has no valid \"\(member)\""
    }
  }
}
