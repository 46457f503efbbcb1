import AppBoot
import AppBootLifecycle
import AppBootReports
import Testing

@testable import AppBootTool

@Suite("The drawing of a screen")
struct ScreenDrawingTests {
  private let screen = AppScreen(name: "Home", title: "Home", text: "It boots, and says so.")

  @Test("A boxed screen is as wide as the terminal")
  func box() {
    let drawing = ScreenDrawing(style: TextStyle(width: 24), isBoxed: true)
    #expect(
      drawing.text(of: screen, nil) == """
        ╭─ Home ───────────────╮
        │                      │
        │ It boots, and says   │
        │ so.                  │
        │                      │
        ╰──────────────────────╯


        """)
  }

  @Test("A screen is drawn in ASCII if the locale is not UTF-8")
  func ascii() {
    let drawing = ScreenDrawing(style: TextStyle(width: 40, usesASCII: true), isBoxed: true)
    let lines = drawing.text(of: screen, nil).split(separator: "\n")
    #expect(lines.first == "+- Home -------------------------------+")
    #expect(lines.allSatisfy { $0.utf8.count == 40 })
  }

  @Test("Above a screen is the path to it from the first screen")
  func path() {
    let drawing = ScreenDrawing(style: TextStyle(), isBoxed: false)
    let titles = [["Notes", "Note 7"], ["Share"]]
    let navigation = Navigation(
      stacks: titles.map { stack in
        stack.map { Navigation.Item(id: 0, screen: AppScreen(name: $0, title: $0, text: "")) }
      })
    #expect(drawing.text(of: navigation, nil) == "Notes › Note 7 + Share\nShare\n=====\n\n")
    #expect(drawing.text(of: Navigation(screen), nil) == drawing.text(of: screen, nil))
  }

  @Test("A plain screen is an underlined title")
  func plain() {
    let drawing = ScreenDrawing(style: TextStyle(), isBoxed: false)
    #expect(drawing.text(of: screen, nil) == "Home\n====\n\nIt boots, and says so.\n\n")
  }

  @Test("A box is exactly as wide as the terminal for any text", arguments: [20, 60, 100, 300])
  func widths(width: Int) {
    let drawing = ScreenDrawing(style: TextStyle(width: width), isBoxed: true)
    let wide = AppScreen(
      name: "a", title: String(repeating: "題", count: 99),
      text: "日本語 \u{1B}[2J 👩‍👩‍👧 \(String(repeating: "x", count: 200))")
    let lines = drawing.text(of: wide, nil).split(separator: "\n")
    #expect(lines.allSatisfy { DisplayWidth.of(String($0)) == width })
    #expect(!lines.contains { $0.contains("\u{1B}") })
  }
}
