// The details of the selected step, and the table of steps.

extension PageScript {
  /// The facts about the selected step.
  static let steps = #"""
    const panel = byId("step");
    const failureText = (failure) => [word(failure[0]), ...failure.slice(1).map((cause) => "caused by: " + word(cause))]
      .join("\n");
    const place = (i) => {
      const file = more(i).file === undefined ? data.manifest : word(more(i).file);
      return file && part.line !== undefined && at(part.line, i) !== null
        ? file + ":" + at(part.line, i) + ":" + at(part.column, i) : "";
    };
    const quoted = (text) => /^[\w@%+=:,.\/-]+$/.test(text) ? text : "'" + text.replaceAll("'", "'\\''") + "'";
    // A text with invisible characters is shown with their code points, so it is no argument.
    const isExact = (text) => !/<U\+[0-9A-F]{4,6}>/.test(text);
    const runOnly = (i) => {
      if (part !== parts[0] || !isExact(part.id[i] + data.manifest)) return "";
      return data.tool + " run --only " + quoted(part.id[i]) + (data.manifest ? " " + quoted(data.manifest) : "");
    };
    const ran = (i) => {
      const all = more(i).attempts;
      if (!all) return "ran " + brief(running(i));
      const pauses = running(i) - all.reduce((sum, [start, end]) => sum + end - start, 0);
      return "ran " + brief(running(i)) + " in " + all.length + " attempts with "
        + brief(Math.max(0, pauses)) + " of backoff";
    };
    const whyText = (i) => {
      const why = reason(i), since = "; ready since " + brief(part.ready[i]);
      if (!why) return "with the " + (part === parts[0] ? "launch" : "event");
      const other = part.id[why.step] + ", which " + ran(why.step);
      if (why.kind === "a") return "after " + other;
      return "when " + other + ", released " + (why.kind === "l" ? "the main lane"
        : part.jobs === 1 ? "the only slot" : "one of " + part.jobs + " slots") + since;
    };
    const whyChain = (i) => {
      const list = make("ol", undefined, "why"), seen = new Set();
      for (let k = i; k !== null && !seen.has(k) && list.childElementCount < 50; k = reason(k) && reason(k).step) {
        seen.add(k);
        const item = make("li");
        const link = make("a", part.id[k]);
        link.href = address(k);
        item.append(link, " started " + brief(part.start[k]) + " after the beginning, " + whyText(k));
        list.append(item);
      }
      return list;
    };
    const factsOf = (i) => {
      const m = more(i), found = [];
      const add = (name, value) => {
        if (value !== undefined && value !== null && value !== "") found.push([name, value]);
      };
      add("Command", word(at(part.command, i)));
      add("Place", place(i));
      add("Comment", word(m.comment));
      add("Lane", part.lane[i] === "m" ? "main" : "background");
      add("After", part.after[i].map((k) => part.id[k]).join(", ") || "nothing");
      add("On failure", word(at(part.policy, i)));
      add("Reason", word(m.reason));
      if (hasRun(i)) {
        add("Ready at", brief(part.ready[i]));
        add("Started at", brief(part.start[i]));
        add("Ended at", brief(part.end[i]));
        add("Waited", brief(waited(i)));
        add("Ran", brief(running(i)) + " (" + running(i) + " ns)");
        add("CPU time", brief(at(part.cpu, i)));
      }
      if (at(part.slack, i) !== null)
        add("Slack", part.place.has(i) ? "none, it is on the critical path" : brief(at(part.slack, i)));
      if (m.budget !== undefined) add("Budget", brief(m.budget) + (running(i) > m.budget ? ", exceeded" : ""));
      if (m.timeout !== undefined) add("Timeout", brief(m.timeout) + (m.overran ? ", exceeded" : ""));
      if (m.killed !== undefined) add("Killed", brief(m.killed) + " after the stop signal");
      add("Change", wordsOf(i));
      add("Drawn", drawn(i));
      add("Effect on the launch", part.gain === undefined ? "" : word(at(part.gain, i)));
      add("Note", word(at(part.note, i)));
      add("Announcement", word(m.announcement));
      add("Spans", (m.spans || []).map(([name, start, end, error]) => word(name) + "  "
        + (end === null ? "unfinished" : brief(end - start))
        + (error === null ? "" : "  failed: " + word(error))).join("\n"));
      add("Undo", m.undo && brief(m.undo[1] - m.undo[0]) + (m.undo[2] === null ? "" : ", failed: " + word(m.undo[2])));
      for (const [name, key] of [["Reads", "reads"], ["Provides", "provides"], ["Emitted", "emitted"]])
        add(name, (m[key] || []).map(word).join(", "));
      return found;
    };
    // The times of the bars, which are one launch, beside those of the change, which are medians.
    const drawn = (i) => {
      const base = before(i);
      if (!base || !hasRun(i)) return "";
      const time = brief(base[1] - base[0]), now = brief(running(i)) + " in this launch";
      return part.baseStart === undefined ? now : time + " in the launch of the base, " + now;
    };
    const copyLine = (text) => {
      const row = make("p", undefined, "copy"), field = make("input"), button = make("button", "Copy");
      field.readOnly = true;
      field.value = text;
      field.setAttribute("aria-label", "Command line that runs only this step");
      button.type = "button";
      button.addEventListener("click", () => {
        field.select();
        const done = () => say("Copied");
        const copy = () => document.execCommand("copy") && done();
        if (navigator.clipboard) navigator.clipboard.writeText(text).then(done, copy); else copy();
      });
      row.append(make("span", "Run only this:"), field, button);
      return row;
    };
    const block = (title, text) => {
      const found = make("div");
      found.append(make("h4", title), make("pre", text));
      return found;
    };
    const showStep = () => {
      panel.hidden = selected < 0;
      if (selected < 0) return;
      const i = selected, m = more(i), head = make("h3"), close = make("button", "Close");
      head.append(make("bdi", part.id[i]), " " + state(i) + (isAllowed(i) ? " (allowed)" : "")
        + (hasRun(i) ? " after " + brief(running(i)) : ""));
      close.type = "button";
      close.addEventListener("click", () => { select(-1); waterfall.focus(); });
      const title = make("div", undefined, "bar-row");
      title.append(head, close);
      const list = make("dl", undefined, "facts");
      for (const [name, value] of factsOf(i)) list.append(make("dt", name), make("dd", value));
      panel.replaceChildren(title);
      const line = word(at(part.shell, i));
      if (line) panel.append(block("Command line", "$ " + line));
      if (m.failure) panel.append(block("Cause", failureText(m.failure)));
      (m.attempts || []).forEach(([start, end, failure, own], k) => {
        panel.append(block("Attempt " + (k + 1) + ", " + brief(end - start),
          (own === undefined ? "" : "$ " + word(own) + "\n") + (failure === null ? "not failed" : word(failure))));
      });
      const output = word(at(part.output, i));
      if (output) panel.append(block("Last output", output));
      const command = runOnly(i);
      if (command) panel.append(copyLine(command));
      panel.append(list);
      if (hasRun(i)) panel.append(make("h4", "Why it did not start earlier"), whyChain(i));
    };

    """#

  /// The table, which follows the order and the search of the waterfall.
  static let table = #"""
    const tableLimit = 200;
    let shownRows = tableLimit;
    const grid = byId("steps"), rest = byId("rest");
    const cell = (text, className, value) => {
      const found = make("td", text, className);
      if (value !== undefined) found.dataset.v = value === null ? "" : value;
      return found;
    };
    const tableRow = (i) => {
      const m = more(i), row = make("tr"), head = make("th"), name = make("a"), label = make("bdi", part.id[i]);
      head.scope = "row";
      name.href = address(i);
      name.append(label);
      head.append(name);
      row.dataset.i = i;
      const tag = make("span", state(i), "state " + part.state[i] + (isAllowed(i) ? " allowed" : ""));
      const status = make("td");
      status.append(tag);
      row.append(cell(i + 1, "n narrow", i + 1), head, status,
        cell(part.lane[i] === "m" ? "main" : "background", "wide"),
        cell(brief(part.start[i]), "n narrow", part.start[i]), cell(brief(waited(i)), "n narrow", waited(i)),
        cell(brief(running(i)), m.budget !== undefined && running(i) > m.budget ? "n over" : "n", running(i)),
        cell(brief(at(part.slack, i)), "n wide", at(part.slack, i)), cell(result(i), "result wide"));
      return row;
    };
    const showTable = () => {
      if (!grid) return;
      const shown = order.slice(0, shownRows);
      grid.tBodies[0].replaceChildren(...shown.map(tableRow));
      rest.replaceChildren();
      if (shown.length === order.length) return;
      const button = make("button", "Show all " + order.length + " rows");
      button.type = "button";
      button.addEventListener("click", () => { shownRows = Infinity; showTable(); });
      rest.append("The table has the first " + shown.length + " of " + order.length + " rows. ", button);
    };
    let tableTimer = 0;
    const showTableSoon = () => {
      clearTimeout(tableTimer);
      tableTimer = setTimeout(showTable, 0);
    };
    for (const head of grid ? grid.tHead.querySelectorAll("th[data-order]") : []) {
      const button = make("button", head.textContent);
      button.type = "button";
      button.addEventListener("click", () => { byId("order").value = head.dataset.order; list(); });
      head.replaceChildren(button);
    }
    const markSorted = (name) => {
      for (const head of grid ? grid.tHead.querySelectorAll("th[data-order]") : [])
        head.setAttribute("aria-sort", head.dataset.order !== name ? "none"
          : ["time", "wait", "change"].includes(name) ? "descending" : "ascending");
    };

    """#
}
