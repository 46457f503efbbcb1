import AppBoot

extension ScreenFlow {
  /// The format version of the restoration data.
  static let formatVersion = 1

  /// The flow as JSON: `{ "version", "name", "presented", "layers": [[{ "name", "title", "text", "parameters" }]],
  /// "children": [ … ] }`. `presented` and `parameters` are optional.
  var json: String {
    var writer = JSONWriter()
    write(to: &writer, isRoot: true)
    return writer.text
  }

  private func write(to writer: inout JSONWriter, isRoot: Bool = false) {
    writer.object { writer in
      if isRoot { writer.member("version", Self.formatVersion) }
      writer.member("name", name)
      if isPresented { writer.member("presented", true) }
      writer.key("layers")
      writer.array { writer in
        for layer in layers {
          writer.array { writer in
            for item in layer { item.screen.write(to: &writer) }
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
  ///
  /// - Parameter item: A function that makes the item of a screen.
  init(
    json text: String, name: String, item: (AppScreen) -> Navigation.Item
  ) throws(RestorationError) {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONDocument(parsing: SourceText(name: "restoration data", text: text)).root
    } catch {
      throw .notJSON(error.diagnostics.first?.message ?? "it cannot be read")
    }
    guard let version = try? root["version"]?.integer(as: Int.self) else { throw .malformed("version") }
    guard version == Self.formatVersion else { throw .unknownVersion(version) }
    try self.init(root, name: name, item)
  }

  private init(
    _ value: JSONValue, name: String, _ item: (AppScreen) -> Navigation.Item
  ) throws(RestorationError) {
    self.init(name: name, isPresented: value["presented"]?.bool == true)
    guard let layers = value["layers"], layers.kind == .array else { throw .malformed("layers") }
    for layer in layers.elements {
      var items: [Navigation.Item] = []
      for screen in layer.elements { items.append(item(try AppScreen(screen))) }
      guard !items.isEmpty else { throw .malformed("layers") }
      self.layers.append(items)
    }
    guard let children = value["children"], children.kind == .array else { throw .malformed("children") }
    for child in children.elements {
      guard let name = child["name"]?.string else { throw .malformed("name") }
      self.children.append(try ScreenFlow(child, name: name, item))
    }
  }
}

extension AppScreen {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("name", name)
      writer.member("title", title)
      writer.member("text", text)
      guard !parameters.isEmpty else { return }
      writer.key("parameters")
      writer.object { writer in
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) { writer.member(name, value) }
      }
    }
  }

  fileprivate init(_ value: JSONValue) throws(RestorationError) {
    guard let name = value["name"]?.string else { throw .malformed("name") }
    guard let title = value["title"]?.string else { throw .malformed("title") }
    guard let text = value["text"]?.string else { throw .malformed("text") }
    var parameters: [String: String] = [:]
    if let members = value["parameters"]?.members {
      for member in members {
        guard let text = member.value.string else { throw .malformed("parameters") }
        parameters[member.key.string] = text
      }
    }
    self.init(name: name, title: title, text: text, parameters: parameters)
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
