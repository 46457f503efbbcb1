import AppBootLifecycle
public import AppBoot

/// A command that shows a text at the end of a launch that succeeds, for example the URLs to open.
public struct Say: Command {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "Say"

  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Shows a text at the end of a launch that succeeds, for example the URLs to open.",
    discussion: """
      The text follows the last line of the launch, also while services stay. It is not shown with --quiet, nor after \
      a launch that failed. With --format jsonl it is the event "announced"; with --format json and in records it is \
      the step's "announcement".

      Its placeholders are {env.NAME}, {context.NAME}, {launch.reason}, {launch.url} and {launch.payload}. A value is \
      the one at the time of this step: run it after the steps that provide the value.

      Control characters are shown as in the output of programs: they cannot change the terminal.
      """,
    example: """
      { "command": "Say", "with": { "text": "The shop is at http://127.0.0.1:8080/" } }
      """,
    lane: .main,
    replacesVariables: false)

  /// The text to show, which may hold `{placeholders}`.
  @Parameter("The text: a string, or a list of lines. May hold {placeholders}.")
  package var text: ScreenText

  /// Creates the command without a text.
  public init() {}

  /// Creates a command that shows a text, which may hold `{placeholders}`.
  public init(_ text: String) { self.text = ScreenText(text) }

  /// Rejects unmatched braces and unknown placeholders.
  public func validate(_ validation: inout ParameterValidation) {
    guard validation.isReadable("text") else { return }
    for problem in Template.problems(in: text.text) { validation.reject(problem.description, at: "text") }
    guard let template = try? Template(text.text) else { return }
    validation.requireValues(of: template, at: "text")
    let known = Placeholders.values(of: LaunchOptions()).keys.sorted()
    for name in template.placeholders where Placeholders.contextValue(of: name)?.isEmpty ?? true {
      if !known.contains(name), !name.hasPrefix("env.") || name == "env." {
        let error = PlaceholderError.unknown(name, among: known, open: ["context.", "env."])
        validation.reject(error.description, at: "text")
      }
    }
  }

  /// Replaces the placeholders of the text, and announces the text.
  ///
  /// - Throws: An error for a placeholder that has no value.
  public func execute(in context: LaunchContext) throws {
    let template = try Template(text.text)
    var values = Placeholders.values(of: context.launch)
    let needed = template.placeholders.compactMap(Placeholders.contextValue)
    if needed.contains(ContextKey<WindowAppearance>.appearance.name),
      let appearance = context.value(for: .appearance)
    {
      values.merge(Placeholders.values(of: appearance)) { value, _ in value }
    }
    context.announce(try template.filled(Placeholders(values: values, of: context).value))
  }
}
