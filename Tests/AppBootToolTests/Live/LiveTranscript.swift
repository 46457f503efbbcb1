import AppBoot
import AppBootRecords
import AppBootReports
import AppBootSystem

@testable import AppBootTool

/// The input of a live view and the screens that it shows, as a file with an object on each line.
///
/// | object | meaning |
/// |---|---|
/// | `{"kind": …}` | a line of the stream |
/// | `{"size": [80, 24]}` | the size of the screen |
/// | `{"time": 3.5}` | the seconds on the clock |
/// | `{"log": ["…"], "of": "web"}` | lines of the log |
/// | `{"last": {"web": "…"}}` | the last lines of output |
/// | `{"keys": "jj"}` | what is typed |
/// | `{"over": true}` | no more lines of the stream follow |
/// | `{"show": "title"}` | the screen is compared |
struct LiveTranscript {
  private(set) var screens: [(title: String, rows: [String], columns: Int)] = []
  private(set) var effects: [LiveScreen.Effect] = []
  private(set) var screen: LiveScreen

  init(_ text: String, usesColor: Bool = false) throws {
    screen = LiveScreen(style: TextStyle(usesColor: usesColor))
    for line in text.split(separator: "\n") {
      let root = try JSONDocument(parsing: SourceText(name: "transcript", text: String(line))).root
      try take(root, String(line))
      effects += screen.takeEffects()
    }
  }

  private mutating func take(_ root: JSONValue, _ line: String) throws {
    if root["kind"] != nil { return screen.model.apply(line, at: screen.now) }
    if let size = root["size"]?.elements {
      screen.size = (try size[0].integer(), try size[1].integer())
    } else if let time = root["time"] {
      screen.now = Int64(try time.double() * 1_000_000_000)
    } else if let log = root["log"]?.elements {
      let lines = log.compactMap(\.string).map {
        LogTail.Line(time: screen.now / 1000, step: root["of"]?.string ?? "web", text: $0)
      }
      screen.add(lines, isReset: false)
    } else if let last = root["last"] {
      for member in last.members { screen.lastLines[member.key.string] = member.value.string }
    } else if let keys = root["keys"]?.string {
      for key in LiveKey.keys(in: Array(keys.utf8)) { screen.type(key) }
    } else if root["over"] != nil {
      screen.isOver = true
    } else if let title = root["show"]?.string {
      screens.append((title, screen.text(), screen.size.columns))
    }
  }

  /// The screens as text.
  var text: String {
    screens.map { screen in
      let rows = screen.rows.map { VisibleText.withoutColors($0) }
      return "== \(screen.title)\n" + rows.map { "\($0.trimmed)\n" }.joined()
    }.joined(separator: "\n")
  }
}

extension String {
  /// The text without spaces at its end.
  fileprivate var trimmed: Substring { self[...].trimmingSuffix { $0 == " " } }
}

extension Substring {
  fileprivate func trimmingSuffix(while isOut: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, isOut(last) { rest.removeLast() }
    return rest
  }
}

/// A screen as a picture in SVG.
struct TerminalPicture {
  /// The colours of the escape sequences that ``TextStyle`` uses.
  private static let colours = [
    "32": "#7ee787", "1;31": "#ff7b72", "33": "#e3b341", "36": "#79c0ff", "1": "#ffffff", "2": "#8b949e",
    "35": "#d2a8ff", "34": "#79c0ff",
  ]

  static func svg(_ rows: [String], columns: Int, title: String) -> String {
    let (width, height) = (columns * 9 + 24, rows.count * 19 + 24)
    let lines = rows.enumerated().map { index, row in
      #"<text x="12" y="\#(28 + index * 19)">\#(spans(of: row))</text>"#
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" role="img" aria-label="\(title)">
      <rect width="\(width)" height="\(height)" rx="6" fill="#0d1117"/>
      <g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="15" fill="#c9d1d9" xml:space="preserve">
      \(lines.joined(separator: "\n"))
      </g>
      </svg>

      """
  }

  /// Returns the parts of a row with their colours. Each has its place, because characters differ in width.
  private static func spans(of row: String) -> String {
    var (text, column, colour) = ("", 0, "")
    for part in row.split(separator: "\u{1B}[", omittingEmptySubsequences: false) {
      var part = part
      if column > 0 || !text.isEmpty || row.hasPrefix("\u{1B}"), let end = part.firstIndex(of: "m"),
        part[..<end].allSatisfy({ $0.isNumber || $0 == ";" }), part.startIndex != row.startIndex
      {
        colour = colours[String(part[..<end])] ?? ""
        part = part[part.index(after: end)...]
      }
      for (index, word) in part.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
        if index > 0 { column += 1 }
        guard !word.isEmpty else { continue }
        let length = DisplayWidth.of(String(word))
        let fill = colour.isEmpty ? "" : #" fill="\#(colour)""#
        text += #"<tspan x="\#(12 + column * 9)" textLength="\#(length * 9)"\#(fill)>"#
        text += escaped(word) + "</tspan>"
        column += length
      }
    }
    return text
  }

  private static func escaped(_ text: Substring) -> String {
    String(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
