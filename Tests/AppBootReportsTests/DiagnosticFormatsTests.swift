import AppBoot
import AppBootSystem
import AppBootReports
import AppBootTestSupport
import Testing

@Suite("The formats of diagnostics")
struct DiagnosticFormatsTests {
  @Test("Each format names the file of each problem, and has no control characters")
  func formats() throws {
    let directory = try TemporaryDirectory()
    let (main, other) = (directory.file("main.json"), directory.file("a.json"))
    try FileSystem.writeFile(atomically: Array("{ \"commands\": [\n  \"Nothing\\u0007\" ] }".utf8), to: other)
    let text = #"{ "include": ["a.json"], "commands": ["No"] }"#
    let manifest = try Manifest(parsing: SourceText(name: main, text: text))
    let error = #expect(throws: PlanError.self) {
      try StartupCommandsBuilder(manifest: manifest, registry: CommandRegistry()).build()
    }
    let (source, diagnostics) = (try #require(error?.source), error?.diagnostics ?? [])
    let renderer = DiagnosticRenderer()
    #expect(
      renderer.render(diagnostics, in: source, as: .github)
        .contains("::error file=\(other),line=2,col=3,endLine=2,endColumn=18,"))
    #expect(renderer.render(diagnostics, in: source, as: .json).contains("\"file\": \"\(other)\""))
    for format in DiagnosticRenderer.Format.allCases {
      let output = renderer.render(diagnostics, in: source, as: format)
      #expect(output.contains(main) && output.contains(other))
      #expect(!output.utf8.contains { ($0 < 0x20 && $0 != 0x0A) || $0 == 0x7F })
    }
  }

  @Test("The JSON format has lines, columns and offsets")
  func json() throws {
    let text = "{\n  \"é\": x\n}"
    let diagnostic = Diagnostic(
      .error, "unknown \"x\"", at: SourceRange(start: 10, end: 11), help: ["write \"x\""],
      notes: [.init("in this object", at: SourceRange(start: 0, end: UInt32(text.utf8.count)))])
    let output = DiagnosticRenderer().json([diagnostic], in: SourceText(name: "a\"b.json", text: text))
    #expect(
      output == """
        [
          {
            "file": "a\\"b.json",
            "line": 2,
            "column": 8,
            "endLine": 2,
            "endColumn": 9,
            "offset": 10,
            "severity": "error",
            "message": "unknown \\"x\\"",
            "help": [
              "write \\"x\\""
            ],
            "notes": [
              {
                "line": 1,
                "column": 1,
                "endLine": 3,
                "endColumn": 2,
                "offset": 0,
                "message": "in this object"
              }
            ]
          }
        ]

        """)
    #expect(DiagnosticRenderer().json([], in: SourceText(name: "f", text: "")) == "[]\n")
  }

  @Test("The GitHub format has one escaped workflow command for each diagnostic")
  func github() {
    let source = SourceText(name: "a,b:c%.json", text: "x\ny")
    let diagnostics = [
      Diagnostic(.error, "100% wrong: a, b", at: SourceRange(start: 0, end: 1), help: ["do", "this\r"]),
      Diagnostic(.warning, "w", at: SourceRange(start: 2, end: 3)),
      Diagnostic(.note, "n", at: SourceRange(start: 3, end: 3)),
    ]
    #expect(
      DiagnosticRenderer(title: "boot: check").github(diagnostics, in: source) == """
        ::error file=a%2Cb%3Ac%25.json,line=1,col=1,endLine=1,endColumn=2,title=boot%3A check::100%25 wrong: a, b%0Ahelp: do%0Ahelp: this%0D
        ::warning file=a%2Cb%3Ac%25.json,line=2,col=1,endLine=2,endColumn=2,title=boot%3A check::w
        ::notice file=a%2Cb%3Ac%25.json,line=2,col=2,endLine=2,endColumn=2,title=boot%3A check::n

        """)
  }
}
