import AppBoot
import AppBootCommands
import AppBootReports
import AppBootSystem

/// The state machine of a live view: lines of the stream, lines of the logs and keys come in, and rows of text go out.
///
/// It is pure. The caller carries out the effects, and gives it the time.
///
///     list ──Enter──→ full log ──Escape──→ list
///       └─ any key that needs an answer or shows a text ──→ overlay ──Escape or the answer──→ where it came from
struct LiveScreen {
  /// Something that the caller does for the view.
  enum Effect: Equatable {
    case request(ServiceAction, id: String)
    case openPage
    /// Begins with the logs of a step; `nil` for those of all steps.
    case select(step: String?)
    /// Reads more of the logs' beginning.
    case readMore
    case suspend
    case redraw
    /// Leaves the view, and stops the launch or app before if that is true.
    case quit(stops: Bool)
  }

  /// A question, a line of input or a text that has the keys until it is closed.
  enum Overlay: Equatable {
    case help
    case explanation([String])
    case search(String)
    case signal(String, id: String)
    case confirmation(ServiceAction, id: String)
    case leaving
  }

  let style: TextStyle
  /// True if the app is another user's.
  var isReadOnly = false
  /// True if this view has started the launch, so that its end asks whether to stop it.
  var ownsLaunch = false
  var model = LiveModel()
  var size = (columns: 80, rows: 24)
  /// The time on the monotonic clock.
  var now: Int64 = 0
  /// True if no more lines of the stream follow.
  var isOver = false
  private(set) var overlay: Overlay?
  /// True if the log has the whole screen.
  private(set) var isLogFull = false
  /// True if the log has the lines of all steps.
  private(set) var isMerged = false
  private(set) var showsTimes = false
  /// The text to find in the log; empty for none.
  private(set) var pattern = ""
  /// The answer to the last request.
  var message = ""
  private(set) var log: [LogTail.Line] = []
  /// The index after the last line of the log that is shown; `nil` to follow.
  private(set) var logEnd: Int?
  /// The last lines of output, by step id.
  var lastLines: [String: String] = [:]
  /// The row that the user selected; `nil` until then: the view then selects what deserves a look.
  private var chosen: String?
  /// The step whose log was requested.
  private var logged: String??
  private var effects: [Effect] = []

  /// The columns of the longest id that is shown whole, as ``text()`` found them.
  var idColumns = 0
  /// The time at the end of the axis, as ``text()`` found it: that of the launch, or the estimated one.
  var axis: Int64 = 1

  /// The most lines of the log that are kept.
  private static let mostLines = 20_000

  init(style: TextStyle) { self.style = style }

  /// The nanoseconds since the launch began.
  var time: Int64 {
    guard let record = model.record, record.outcome != .running else { return max(0, now - model.origin) }
    return record.elapsedTime
  }

  /// The id of the selected step or service; `nil` without steps.
  var selected: String? {
    let rows = model.rows
    if let chosen, rows.contains(chosen) { return chosen }
    guard let record = model.record else { return rows.first }
    if model.isLaunching || model.services.isEmpty {
      let step = record.failures.first ?? record.first { $0.state == .running }
      return step?.id ?? rows.first
    }
    // A service that crashes in a loop stays selected while it is up.
    let restarted = model.services.filter { $0.restarts > 0 }.max { $0.restarts < $1.restarts }
    let down = model.services.first { $0.state != "ready" && $0.state != "skipped" }
    return (restarted ?? down)?.id ?? rows.first
  }

  /// Takes the effects since the last call. The log follows the selection.
  mutating func takeEffects() -> [Effect] {
    let wanted = isMerged ? nil : selected
    if logged != .some(wanted), model.record != nil {
      logged = .some(wanted)
      (log, logEnd) = ([], nil)
      effects.append(.select(step: wanted))
    }
    defer { effects = [] }
    return effects
  }

  /// Adds lines of the log. Lines that replace the others keep the place at which the user looks.
  mutating func add(_ lines: [LogTail.Line], isReset: Bool) {
    guard isReset else {
      log += lines
      // While the user looks back, no lines come.
      if log.count > Self.mostLines { log.removeFirst(log.count - Self.mostLines / 2) }
      return
    }
    let last = logEnd.flatMap { log.indices.contains($0 - 1) ? log[$0 - 1] : nil }
    logEnd = last.flatMap { lines.lastIndex(of: $0) }.map { $0 + 1 }
    log = lines
  }

  // MARK: - Keys

  mutating func type(_ key: LiveKey) {
    switch key {
    case .suspend: effects.append(.suspend)
    case .redraw: effects.append(.redraw)
    case .interrupt: overlay == nil ? leave() : (overlay = nil)
    case _ where overlay != nil: answer(key)
    default: command(key)
    }
  }

  private mutating func command(_ key: LiveKey) {
    message = ""
    switch key {
    case .up, .character("k"): isLogFull ? scroll(-1) : select(-1)
    case .down, .character("j"): isLogFull ? scroll(1) : select(1)
    case .home, .character("g"): isLogFull ? scroll(-log.count) : select(-model.rows.count)
    case .end, .character("G"): isLogFull ? (logEnd = nil) : select(model.rows.count)
    case .pageUp, .character("b"): scroll(1 - logRows)
    case .pageDown, .character(" "): scroll(logRows - 1)
    case .character("f"): logEnd = nil
    case .enter: isLogFull.toggle()
    case .escape: if !pattern.isEmpty { pattern = "" } else { isLogFull = false }
    case .character("a"): isMerged.toggle()
    case .character("t"): showsTimes.toggle()
    case .character("/"): overlay = .search("")
    case .character("n"): find(-1)
    case .character("N"): find(1)
    case .character("r"): ask { .confirmation(.restart, id: $0.id) }
    case .character("s"): ask { .confirmation($0.isUp ? .stop : .start, id: $0.id) }
    case .character("K"): ask { .signal("", id: $0.id) }
    case .character("e"): overlay = .explanation(explanation)
    case .character("o"):
      message = "making the page"
      effects.append(.openPage)
    case .character("?"): overlay = .help
    case .character("q"): leave()
    case .character, .erase, .interrupt, .suspend, .redraw: return
    }
  }

  private mutating func answer(_ key: LiveKey) {
    guard let overlay else { return }
    if key == .escape { return self.overlay = nil }
    switch overlay {
    case .help, .explanation: self.overlay = nil
    case .search(let text):
      if key == .enter { (pattern, self.overlay) = (text, nil) }
      if key == .enter, !text.isEmpty { return find(-1) }
      if let text = Self.edit(text, key) { self.overlay = .search(text) }
    case .signal(let text, let id):
      if let text = Self.edit(text, key) { return self.overlay = .signal(text, id: id) }
      guard key == .enter else { return }
      self.overlay = nil
      guard let signal = Signals.number(named: text.isEmpty ? "TERM" : text) else {
        return message = "there is no signal \(style.visible(text))"
      }
      effects.append(.request(.kill(signal), id: id))
    case .confirmation(let action, let id):
      self.overlay = nil
      guard key == .character("y") else { return }
      message = "\(action.name) \(style.visible(id)): requested"
      effects.append(.request(action, id: id))
    case .leaving:
      if key == .character("y") || key == .character("n") {
        self.overlay = nil
        effects.append(.quit(stops: key == .character("y")))
      }
    }
  }

  /// Returns the text after a key; `nil` for a key that does not change it.
  private static func edit(_ text: String, _ key: LiveKey) -> String? {
    switch key {
    case .character(let character): text + String(character)
    case .erase: String(text.dropLast())
    default: nil
    }
  }

  /// Asks before a request for the selected service.
  private mutating func ask(_ question: (LiveModel.Service) -> Overlay) {
    if isOver { return message = "it has ended" }
    if isReadOnly { return message = "only to look at: the app is another user's" }
    guard let service = selected.flatMap(model.service) else {
      return message = "only a service can be stopped, started or restarted"
    }
    overlay = question(service)
  }

  private mutating func leave() {
    if ownsLaunch, !isOver { return overlay = .leaving }
    effects.append(.quit(stops: false))
  }

  private mutating func select(_ count: Int) {
    let rows = model.rows
    guard let place = selected.flatMap({ rows.firstIndex(of: $0) }) else { return }
    chosen = rows[min(rows.count - 1, max(0, place + count))]
  }

  private mutating func scroll(_ count: Int) {
    let end = (logEnd ?? log.count) + count
    if end <= logRows, count < 0 { effects.append(.readMore) }
    logEnd = end >= log.count || log.isEmpty ? nil : max(min(logRows, log.count), end)
  }

  /// Shows the next line with the pattern, or else with an error: an older one for -1, a newer one for 1.
  private mutating func find(_ direction: Int) {
    let found: (LogTail.Line) -> Bool = { [pattern] in
      pattern.isEmpty ? $0.isError : $0.text.contains(pattern)
    }
    // The line that was found last is the last one that is shown.
    let last = max(0, (logEnd ?? log.count + 1) - 1)
    let place =
      direction < 0
      ? log[..<min(last, log.count)].lastIndex(where: found)
      : log.indices.dropFirst(last + 1).first { found(log[$0]) }
    guard let place else {
      if direction < 0 { effects.append(.readMore) }
      let what = pattern.isEmpty ? "error" : "\"\(style.visible(pattern))\""
      return message = "no \(direction < 0 ? "older" : "newer") line with \(what) among those that were read"
    }
    logEnd = place + 1
  }
}
