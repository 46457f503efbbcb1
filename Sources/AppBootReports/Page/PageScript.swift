/// The script of a page, which draws the data of the page.
///
/// The facts are complete without it. It writes texts with `textContent` and on canvases only, so that no text of a
/// record becomes markup.
enum PageScript {
  /// The whole script.
  static let source = """
    "use strict";
    (() => {
    \(basics)\(launch)\(paint)\(rows)\(steps)\(table)\(input)\(start)})();

    """

  /// Helpers: elements, times, and the texts of the data.
  private static let basics = #"""
    const byId = (id) => document.getElementById(id);
    const data = JSON.parse(byId("data").textContent);
    const word = (number) => number === undefined || number === null ? "" : data.texts[number];
    const make = (name, text, className) => {
      const element = document.createElement(name);
      if (text !== undefined) element.textContent = text;
      if (className) element.className = className;
      return element;
    };
    const say = (text) => { byId("say").textContent = text; };
    const units = [["ns", 1, 1, 1000], ["µs", 1e3, 10, 10], ["µs", 1e3, 1, 1000], ["ms", 1e6, 10, 100],
      ["ms", 1e6, 1, 1000], ["s", 1e9, 100, 10], ["s", 1e9, 10, 60]];
    const two = (number) => String(number).padStart(2, "0");
    // Writes a time as every other report does.
    const brief = (value) => {
      if (value === null || value === undefined) return "";
      if (value === 0) return "0 s";
      for (const [name, unit, scale, limit] of units) {
        const rounded = Math.floor((value + unit / scale / 2) / (unit / scale));
        if (rounded < limit * scale) return (rounded / scale).toFixed(Math.log10(scale)) + "\u00A0" + name;
      }
      const s = Math.round(value / 1e9);
      return s < 3600 ? Math.floor(s / 60) + "m\u00A0" + two(s % 60) + "s"
        : Math.floor(s / 3600) + "h\u00A0" + two(Math.floor(s % 3600 / 60)) + "m";
    };
    const signed = (value) => (value < 0 ? "−" : "+") + brief(Math.abs(value));
    const stateNames = { s: "succeeded", f: "failed", t: "timed out", c: "cancelled", k: "skipped", r: "running",
      y: "ready", w: "waiting" };
    const marks = { f: "✗", t: "⏱\uFE0E", c: "■", k: "–", r: "▸", y: "·", w: "·" };

    """#

  /// The columns of a launch or of an event's handlers.
  private static let launch = #"""
    const at = (column, i) => Array.isArray(column) ? column[i] : column;
    const nothing = {};
    const unfold = (source) => {
      const count = source.id.length;
      const part = { ...source, count, start: [], end: [], ready: [], followers: source.id.map(() => []) };
      let last = 0;
      for (let i = 0; i < count; i++) {
        const difference = at(source.start, i);
        if (difference !== null) last += difference;
        part.start.push(difference === null ? null : last);
        part.end.push(difference === null ? null : last + at(source.run, i));
        part.ready.push(difference === null ? null : last - at(source.wait, i));
        for (const before of source.after[i]) part.followers[before].push(i);
      }
      part.total = source.duration;
      for (let i = 0; i < count; i++) {
        const undo = part.more[i] && part.more[i].undo;
        part.total = Math.max(part.total, part.end[i] || 0, undo ? undo[1] : 0);
      }
      part.total = Math.max(1, part.total);
      part.place = new Map(source.chain.map((step, place) => [step, place]));
      return part;
    };
    const parts = data.parts.map(unfold);
    let part = parts[0];
    const more = (i) => part.more[i] || nothing;
    const hasRun = (i) => part.start[i] !== null;
    const running = (i) => hasRun(i) ? part.end[i] - part.start[i] : null;
    const waited = (i) => hasRun(i) ? part.start[i] - part.ready[i] : null;
    const state = (i) => stateNames[part.state[i]];
    const isFailed = (i) => part.state[i] === "f" || part.state[i] === "t";
    const isAllowed = (i) => isFailed(i) && word(at(part.policy, i)) === "continue";
    const change = (i) => part.change === undefined ? null : at(part.change, i);
    const result = (i) => word(at(part.result, i));
    const mark = (i) => isAllowed(i) ? "!" : marks[part.state[i]] || "";
    // The attempts of a step as [start, end, failure]; one without a failure if the record has none.
    const attempts = (i) => !hasRun(i) ? []
      : more(i).attempts || [[part.start[i], part.end[i], null]];
    const wordsOf = (i) => part.words === undefined ? "" : word(at(part.words, i));
    const texts = new Map();
    const searchText = (i) => {
      const known = part.searched || (part.searched = []);
      if (known[i] === undefined) {
        const m = more(i);
        known[i] = [part.id[i], word(at(part.command, i)), state(i), part.place.has(i) ? "critical" : "",
          m.attempts ? "retried" : "", m.undo ? "undone" : "", isAllowed(i) ? "allowed" : "",
          m.budget !== undefined && running(i) > m.budget ? "over budget" : "", (m.failure || []).map(word).join(" "),
          word(m.reason), word(at(part.note, i)), word(at(part.output, i)), word(at(part.shell, i)), result(i),
          wordsOf(i)].join(" ").toLowerCase();
      }
      return known[i];
    };
    const orders = {
      start: (i) => hasRun(i) ? part.start[i] : Infinity,
      lane: (i) => (part.lane[i] === "m" ? 0 : 1e18) + (hasRun(i) ? part.start[i] : 1e17),
      time: (i) => hasRun(i) ? -running(i) : 1,
      wait: (i) => hasRun(i) ? -waited(i) : 1,
      change: (i) => change(i) === null ? 1 : -Math.abs(change(i)),
      manifest: (i) => i,
    };

    """#
}
