import AppBoot
import AppBootLifecycle
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("Appearance", .ownThread)
struct AppearanceTests {
  private func appearance(_ parameters: String, system: AppTheme? = nil) throws -> (
    RecordingWindow, StepRecord
  ) {
    let window = RecordingWindow(systemTheme: system)
    var launch = TestLaunch(#"[ { "command": "Appearance", "with": \#(parameters) } ]"#)
    launch.window = window
    return (window, try launch.run()[0])
  }

  @Test("Appearance sets the manifest's theme and accent")
  func given() throws {
    let (window, step) = try appearance(##"{ "theme": "dark", "accent": "#ff8000" }"##, system: .light)
    let color = AppColor(red: 255, green: 128, blue: 0)
    #expect(window.calls == [.apply(WindowAppearance(theme: .dark, accent: color))])
    #expect(step.details.note == "dark, #FF8000")
    #expect(step.details.provides == ["appearance"])
  }

  @Test(
    "The theme auto is the system's theme, or light if there is no system theme",
    arguments: [AppTheme.dark, .light, nil])
  func automatic(system: AppTheme?) throws {
    let (window, step) = try appearance("{}", system: system)
    let applied = window.calls.compactMap { if case .apply(let appearance) = $0 { appearance } else { nil } }
    #expect(applied.map(\.followsSystem) == [true])
    #expect(step.details.note == "\(system?.rawValue ?? "light"), #0A84FF")
  }

  @Test("Appearance provides theme and accent without a window too")
  func withoutWindow() throws {
    let record = try TestLaunch(#"[ "Appearance" ]"#).run()
    #expect(record[0].details.note == "light, #0A84FF")
    #expect(record[0].details.provides == ["appearance"])
  }

  @Test("A wrong colour or theme is an error before the launch")
  func refused() throws {
    let color = ##"[ { "command": "Appearance", "with": { "accent": "#12345" } } ]"##
    let words = ##""accent": "#12345" is not a colour: write # and six hexadecimal digits, as in "#0A84FF""##
    #expect(try TestLaunch(color).problems() == [words])
    let theme = #"[ { "command": "Appearance", "with": { "theme": "drak" } } ]"#
    #expect(try TestLaunch(theme).problems() == [#""theme" cannot be "drak""#])
  }

  @Test("Appearance has parameters with defaults")
  func catalogue() {
    let fields = CommandDescription(of: Appearance.self).parameters
    #expect(fields.map(\.name) == ["theme", "accent"])
    #expect(fields.map(\.defaultText) == ["\"auto\"", "\"#0A84FF\""])
  }
}
