import AppBoot
import AppBootCommands
import AppBootReports
import AppBootSystem

/// The state machine of a live view: lines of the stream, lines of the logs and keys come in, and rows of text go out.
///
/// It is pure. The caller carries out the effects, and gives it the time.
///
///     list ──Enter──→ full log ──Escape──→ list
///       └─ a key that needs an answer or shows a text ──→ overlay ──Escape or the answer──→ where it came from
struct LiveScreen {
  /// Something that the caller does for the view.
  enum Effect: Equatable {
    case request(ServiceAction, id: String)
    case openPage
    /// Begins with the logs of a step; `nil` for those of all steps.
    case select(step: String?)
    /// Reads lines before those of the log.
    case readOlder
    case suspend
    case redraw
    /// Leaves the view, and stops the launch or app before if that is true.
    case quit(stops: Bool)
  }

  /// A text, an input or a question that receives the keys until it is closed.
  enum Overlay: Equatable {
    /// Rows of text, which any key closes.
    case text([String])
    /// A line of input: the text to find, or the signal for a service.
    case input(String, signalFor: String?)
    /// A question. Any key besides `y` and `n` closes it without an effect.
    case question(String, yes: Effect, no: Effect? = nil)
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
  /// True if there are lines before those of the log.
  var hasOlder = false
  /// True while older lines are read until one is found. A key ends that.
  private(set) var isSearching = false
  /// The index after the last line of the log that is shown; `nil` to follow.
  private(set) var logEnd: Int?
  /// The last lines of output, by step id.
  var lastLines: [String: String] = [:]
  /// The row that the user selected; `nil` until then: the view then selects what deserves a look.
  private var chosen: String?
  /// The step whose log was requested; `nil` to begin again with the end of the log.
  private var logged: String??
  private var effects: [Effect] = []

  /// The columns of the longest id that is shown whole, as ``text()`` found them.
  var idColumns = 0
  /// The time at the end of the axis, as ``text()`` found it: that of the launch, or the estimated one.
  var axis: Int64 = 1

  /// The most lines of the log that are kept while it follows, and while older ones are read.
  private static let (mostNew, mostOld) = (20_000, 100_000)

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
    if !model.showsServices {
      return (model.failedStep ?? record.first { $0.state == .running })?.id ?? rows.first
    }
    // A service that crashes in a loop stays selected while it is up.
    let restarted = model.services.filter { $0.restarts > 0 }.max { $0.restarts < $1.restarts }
    return (restarted ?? model.failedService)?.id ?? rows.first
  }

  /// Takes the effects since the last call. The log follows the selection.
  mutating func takeEffects() -> [Effect] {
    let wanted = isMerged ? nil : selected
    if logged != .some(wanted), model.record != nil {
      logged = .some(wanted)
      (log, logEnd, hasOlder, isSearching) = ([], nil, false, false)
      effects.append(.select(step: wanted))
    }
    defer { effects = [] }
    return effects
  }

  /// Adds lines of the log. Lines that replace the others keep the place at which the user looks.
  mutating func add(_ lines: [LogTail.Line], isReset: Bool) {
    log = isReset ? lines : log + lines
    // While the user looks back, no lines come.
    if isReset { logEnd = nil }
    if log.count > Self.mostNew { logged = nil }
  }

  /// Adds lines before those of the log, and looks in them for the one that is searched.
  mutating func add(older lines: [LogTail.Line]) {
    let shown = logEnd.map { log[$0 - 1] }
    log = lines + log
    // The log of one step is in order. A line without a time stays behind the line before it.
    if isMerged {
      var last: Int64 = 0
      let timed = log.map { line in
        last = line.time ?? last
        return (time: last, line: line)
      }
      log = timed.sorted { $0.time < $1.time }.map(\.line)
    }
    log.removeLast(max(0, log.count - Self.mostOld))
    logEnd = shown.flatMap { log.lastIndex(of: $0) }.map { $0 + 1 }
    guard isSearching else { return }
    if let line = lines.last(where: isFound) {
      (logEnd, isSearching, message) = (log.lastIndex(of: line).map { $0 + 1 }, false, "")
    } else {
      search()
    }
  }

  // MARK: - Keys

  mutating func type(_ key: LiveKey) {
    isSearching = false
    switch (key, overlay) {
    case (.suspend, _): effects.append(.suspend)
    case (.redraw, _): effects.append(.redraw)
    case (.interrupt, nil): leave()
    case (.interrupt, _), (.escape, .some): overlay = nil
    case (_, let overlay?): answer(key, to: overlay)
    case (_, nil): command(key)
    }
  }

  private mutating func command(_ key: LiveKey) {
    message = ""
    switch key {
    case .up, .character("k"): isLogFull ? scroll(-1) : select(-1)
    case .down, .character("j"): isLogFull ? scroll(1) : select(1)
    case .home, .character("g"): isLogFull ? scroll(-log.count) : select(-model.rows.count)
    case .end, .character("G"): isLogFull ? follow() : select(model.rows.count)
    case .pageUp, .character("b"): scroll(1 - logRows)
    case .pageDown, .character(" "): scroll(logRows - 1)
    case .character("f"): follow()
    case .enter: isLogFull.toggle()
    case .escape: if !pattern.isEmpty { pattern = "" } else { isLogFull = false }
    case .character("a"): isMerged.toggle()
    case .character("t"): showsTimes.toggle()
    case .character("/"): overlay = .input("", signalFor: nil)
    case .character("n"): find(-1)
    case .character("N"): find(1)
    case .character("r"): ask { $0.confirmation(.restart, of: $1) }
    case .character("s"): ask { $0.confirmation($1.isUp ? .stop : .start, of: $1) }
    case .character("K"): ask { .input("", signalFor: $1.id) }
    case .character("e"): overlay = .text(explanation)
    case .character("o"):
      message = "making the page"
      effects.append(.openPage)
    case .character("?"): overlay = .text(Self.help)
    case .character("q"): leave()
    case .character, .erase, .interrupt, .suspend, .redraw: return
    }
  }

  private mutating func answer(_ key: LiveKey, to overlay: Overlay) {
    switch (overlay, key) {
    case (.input(let text, let service), .character(let character)):
      self.overlay = .input(text + String(character), signalFor: service)
    case (.input(let text, let service), .erase):
      self.overlay = .input(String(text.dropLast()), signalFor: service)
    case (.input(let text, let service), .enter):
      self.overlay = nil
      if let service { return send(text.isEmpty ? "TERM" : text, to: service) }
      pattern = text
      if !text.isEmpty { find(-1) }
    case (.input, _): return
    case (.question(_, let yes, let no), _):
      self.overlay = nil
      if key == .character("y") { effects.append(yes) }
      if key == .character("n"), let no { effects.append(no) }
    case (.text, _): self.overlay = nil
    }
  }

  private mutating func send(_ signal: String, to id: String) {
    guard let number = Signals.number(named: signal) else {
      return message = "there is no signal \(style.visible(signal))"
    }
    effects.append(.request(.kill(number), id: id))
  }

  /// Asks before a request for the selected service.
  private mutating func ask(_ question: (LiveScreen, LiveModel.Service) -> Overlay) {
    if isOver { return message = "it has ended" }
    if isReadOnly { return message = "only to look at: the app is another user's" }
    guard let service = selected.flatMap(model.service) else {
      return message = "only a service can be stopped, started or restarted"
    }
    overlay = question(self, service)
  }

  private func confirmation(_ action: ServiceAction, of service: LiveModel.Service) -> Overlay {
    let question = "\(action.name) \(style.visible(service.id))?   y: yes, any other key: no"
    return .question(question, yes: .request(action, id: service.id))
  }

  private mutating func leave() {
    guard ownsLaunch, !isOver else { return effects.append(.quit(stops: false)) }
    // It fits 60 columns.
    let question = "stop it too?   y: yes, n: leave it running, other keys: stay"
    overlay = .question(question, yes: .quit(stops: true), no: .quit(stops: false))
  }

  private mutating func select(_ count: Int) {
    let rows = model.rows
    guard let place = selected.flatMap({ rows.firstIndex(of: $0) }) else { return }
    chosen = rows[min(rows.count - 1, max(0, place + count))]
  }

  private mutating func scroll(_ count: Int) {
    let end = (logEnd ?? log.count) + count
    if end <= logRows, count < 0, hasOlder { effects.append(.readOlder) }
    if end >= log.count || log.isEmpty { return follow() }
    logEnd = max(min(logRows, log.count), end)
  }

  private mutating func follow() {
    logEnd = nil
    // The newest lines may have been dropped for older ones.
    if log.count == Self.mostOld { logged = nil }
  }

  private func isFound(_ line: LogTail.Line) -> Bool {
    pattern.isEmpty ? line.isError : line.text.contains(pattern)
  }

  /// Shows the next line with the pattern, or else with an error: an older one for -1, a newer one for 1.
  private mutating func find(_ direction: Int) {
    // The line that was found last is the last one that is shown.
    let last = max(0, (logEnd ?? log.count + 1) - 1)
    let place =
      direction < 0
      ? log[..<min(last, log.count)].lastIndex(where: isFound)
      : log.indices.dropFirst(last + 1).first { isFound(log[$0]) }
    if let place {
      logEnd = place + 1
    } else if direction < 0 {
      search()
    } else {
      message = "no newer line with \(searched)"
    }
  }

  /// Reads older lines to find one, or says that there is none.
  private mutating func search() {
    isSearching = hasOlder
    if isSearching { effects.append(.readOlder) }
    message =
      isSearching ? "searching for \(searched) in \(log.count) lines" : "no older line with \(searched)"
  }

  private var searched: String { pattern.isEmpty ? "an error" : "\"\(style.visible(pattern))\"" }
}
