/// The elements that several pages share: tables, and the pictures that the script draws.
enum PageFrame {
  /// Returns the HTML of a section with a table.
  ///
  /// - Parameters:
  ///   - id: The id of the heading.
  ///   - heads: The titles of the columns, and their CSS classes.
  ///   - rows: The rows as HTML.
  ///   - note: A sentence below the table as HTML; empty for none.
  static func table(
    _ title: String, id: String, heads: [(title: String, classes: String)], rows: [String], note: String = ""
  ) -> String {
    """
    <section><h2 id="\(id)">\(title)</h2>
    <div class="table" tabindex="0" role="region" aria-labelledby="\(id)"><table><thead><tr>\
    \(heads.map { "<th scope=\"col\" class=\"\($0.classes)\">\($0.title)</th>" }.joined())</tr></thead>
    <tbody>
    \(rows.joined())</tbody></table></div>
    \(note.isEmpty ? "" : "<p class=\"aside\">\(note)</p>\n")</section>

    """
  }

  /// Returns the HTML of a row: its name, then its cells as HTML with their CSS classes.
  ///
  /// - Parameter id: The attribute with the id to which a link leads; empty for none.
  static func row(_ name: String, id: String = "", _ cells: [(classes: String, html: String)]) -> String {
    let cells = cells.map { "<td\($0.isEmpty ? "" : " class=\"\($0)\"")>\($1)</td>" }
    return "<tr\(id)><th scope=\"row\"><bdi>\(Markup.visible(name))</bdi></th>\(cells.joined())</tr>\n"
  }

  /// The strip of running and waiting steps, the waterfall with its controls, and the details of a step.
  ///
  /// They are hidden without scripts.
  ///
  /// - Parameter changes: The differences from a base; `nil` without a base.
  static func pictures(_ changes: PageChanges? = nil) -> String {
    """
    <section id="pictures" aria-labelledby="over-time" hidden>
    <div class="bar-row"><h2 id="over-time">Over time <small id="count"></small></h2>
    <label hidden>Show <select id="part"></select></label>
    <label><span class="hidden">Find steps</span>\
    <input id="find" type="search" placeholder="Find ( / )" autocomplete="off"></label>
    <label><span class="hidden">Order</span><select id="order"><option value="start">by start</option>\
    <option value="lane">by lane</option><option value="time">by own time</option>\
    <option value="wait">by wait</option><option value="change">by change</option>\
    <option value="manifest">as in the manifest</option></select></label>
    <button type="button" id="critical" aria-pressed="false">only critical</button>
    <button type="button" id="closer" aria-label="Zoom in">+</button>\
    <button type="button" id="wider" aria-label="Zoom out">−</button>\
    <button type="button" id="whole">whole launch</button></div>
    <div class="box"><canvas id="strip" role="img" aria-label="Running and waiting steps"></canvas>\
    <canvas id="axis" aria-hidden="true"></canvas>
    <div id="scroll"><div id="pad"></div><canvas id="waterfall" tabindex="0" role="application" \
    aria-label="Waterfall of the steps. The table below has the same facts." aria-describedby="keys"></canvas></div>
    <p class="aside" id="empty" hidden>No step matches.</p></div>
    \(legend)
    \(changes.map { "<p class=\"aside\">\($0.legend)</p>\n" } ?? "")\
    <p class="aside keys" id="keys">Select a step with a click or with j and k. Enter moves to its details. Zoom with \
    + and −, or with Ctrl and the wheel. Pan with the left and right arrow keys or by dragging. 0 shows the whole \
    launch. Shift and drag selects a range. / finds steps, also by “failed”, “critical”, “retried” or “skipped”.</p>
    <div id="step" hidden></div></section>

    """
  }

  /// The legend. The script shows the entries that occur.
  private static let legend: String = {
    let items: [(name: String, drawing: String, words: String)] = [
      ("run", bar("run", edge: "edge"), "running"), ("chain", bar("chain"), "on the critical path"),
      ("bad", bar("bad") + hatch("M1 13l12-12M8 13l12-12"), "failed"),
      (
        "warn", bar("warn") + hatch("M1 1l12 12M8 1l12 12"),
        "failed attempt, cancelled, or allowed to fail"
      ),
      ("later", "<text x=\"5\" y=\"12\" fill=\"var(--bad)\">✗\u{FE0E}</text>", "failed after it was ready"),
      (
        "wait", "<rect x=\"0\" y=\"5\" width=\"22\" height=\"4\" fill=\"var(--wait)\"/>",
        "waiting for a slot or the main lane"
      ),
      ("backoff", dashed("soft"), "backoff"), ("lane", dashed("lane"), "released a slot or the main lane"),
      ("span", "<rect x=\"0\" y=\"10\" width=\"22\" height=\"3\" fill=\"var(--ink)\"/>", "span"),
      ("undo", outline("lane"), "undo"), ("before", outline("ink"), "before"),
    ]
    return "<ul class=\"legend\">"
      + items.map { "<li data-if=\"\($0)\"><svg aria-hidden=\"true\">\($1)</svg>\($2)</li>" }.joined()
      + "</ul>"
  }()

  private static func bar(_ name: String, edge: String? = nil) -> String {
    """
    <rect x="0.5" y="1.5" width="21" height="11" fill="var(--\(name))" stroke="var(--\(edge ?? name))"/>
    """
  }

  private static func hatch(_ path: String) -> String { "<path d=\"\(path)\" stroke=\"var(--paper)\"/>" }

  private static func outline(_ name: String) -> String {
    "<rect x=\"1\" y=\"1\" width=\"20\" height=\"11\" fill=\"none\" stroke=\"var(--\(name))\"/>"
  }

  private static func dashed(_ name: String) -> String {
    "<path d=\"M0 7h22\" stroke=\"var(--\(name))\" stroke-width=\"2\" stroke-dasharray=\"4 3\"/>"
  }
}
