/// The script of the HTML report: sorting, searching, zooming, tooltips and details of a row.
///
/// The page is complete without it. The script reads the embedded record, and writes with `textContent` only.
enum HTMLScript {
  static let source = #"""
    "use strict";
    (() => {
      const record = JSON.parse(document.getElementById("record").textContent);
      const table = document.getElementById("steps");
      if (!table) return;
      const body = table.tBodies[0];
      const rows = Array.from(body.rows);
      const say = document.getElementById("say");
      const units = [["ns", 1, 1, 1000], ["µs", 1e3, 10, 10], ["µs", 1e3, 1, 1000], ["ms", 1e6, 10, 100],
        ["ms", 1e6, 1, 1000], ["s", 1e9, 100, 10], ["s", 1e9, 10, 60]];
      const two = (n) => String(n).padStart(2, "0");
      const brief = (value) => {
        if (value === 0) return "0 s";
        for (const [name, unit, scale, limit] of units) {
          const rounded = Math.floor((value + unit / scale / 2) / (unit / scale));
          if (rounded < limit * scale) return (rounded / scale).toFixed(Math.log10(scale)) + " " + name;
        }
        const s = Math.round(value / 1e9);
        return s < 3600 ? Math.floor(s / 60) + "m " + two(s % 60) + "s"
          : Math.floor(s / 3600) + "h " + two(Math.floor(s % 3600 / 60)) + "m";
      };
      const element = (name, text) => {
        const node = document.createElement(name);
        if (text !== undefined) node.textContent = text;
        return node;
      };
      const failureText = (failure) =>
        [failure.message, ...(failure.causes || []).map((c) => "caused by: " + c)].join("\n");

      // Sorting
      const heads = Array.from(table.tHead.querySelectorAll("th[data-key]"));
      const valueOf = (row, column, isNumber) => {
        const value = row.cells[column].dataset.v;
        return isNumber ? (value === "" ? -1 : Number(value)) : value;
      };
      const sort = (head) => {
        const isNumber = head.dataset.key === "number";
        const current = head.getAttribute("aria-sort");
        const first = isNumber && head.dataset.first !== "up" ? "descending" : "ascending";
        const next = current === "none" ? first : current === "ascending" ? "descending" : "ascending";
        const sign = next === "ascending" ? 1 : -1;
        const column = head.cellIndex;
        closeAll();
        rows.sort((a, b) => {
          const left = valueOf(a, column, isNumber), right = valueOf(b, column, isNumber);
          const order = isNumber ? left - right : left.localeCompare(right, undefined, { numeric: true });
          return sign * order || Number(a.dataset.i) - Number(b.dataset.i);
        });
        body.append(...rows);
        for (const other of heads) other.setAttribute("aria-sort", other === head ? next : "none");
        say.textContent = "Sorted by " + head.textContent.trim() + ", " + next;
      };
      for (const head of heads) head.firstElementChild.addEventListener("click", () => sort(head));

      // Finding
      const find = document.getElementById("find");
      const show = document.getElementById("show");
      const none = document.getElementById("none");
      const filter = () => {
        const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
        let count = 0;
        closeAll();
        for (const row of rows) {
          const step = record.steps[row.dataset.i];
          const text = row.dataset.find;
          const isShown = words.every((word) => text.includes(word)) && (show.value === "all"
            || (show.value === "critical" ? step.critical
              : show.value === "failed" ? /^(failed|timedOut)$/.test(step.state)
              : show.value === "idle" ? step.start === undefined
              : step.budget !== undefined && step.running > step.budget));
          row.hidden = !isShown;
          if (isShown) count += 1;
        }
        none.hidden = count > 0;
        rove(rows.find((row) => !row.hidden));
        say.textContent = count + " of " + rows.length + " steps shown";
      };
      find.addEventListener("input", filter);
      show.addEventListener("change", filter);

      // Details
      const facts = (step) => {
        const list = element("dl");
        list.className = "facts";
        const add = (name, value) => {
          if (value === undefined || value === "") return;
          list.append(element("dt", name), element("dd", value));
        };
        add("Command", step.command);
        if (step.line !== undefined && record.manifest)
          add("Place", record.manifest.path + ":" + step.line + ":" + step.column);
        add("Lane", step.lane);
        add("After", step.after.length ? step.after.join(", ") : "nothing");
        add("On failure", step.onFailure);
        if (step.reason) add("Reason", step.reason.text);
        add("Because of", (step.causes || []).join(" → "));
        if (step.failure) add("Failure", failureText(step.failure));
        if (step.ready !== undefined) add("Ready at", brief(step.ready));
        if (step.start !== undefined) add("Started at", brief(step.start));
        if (step.end !== undefined) add("Ended at", brief(step.end));
        add("Waited", brief(step.waiting));
        if (step.start !== undefined) add("Ran", brief(step.running) + " (" + step.running + " ns)");
        if (step.slack !== undefined)
          add("Slack", step.critical ? "none, it is on the critical path" : brief(step.slack));
        if (step.budget !== undefined)
          add("Budget", brief(step.budget) + (step.running > step.budget ? ", exceeded" : ""));
        if (step.timeout !== undefined) add("Timeout", brief(step.timeout) + (step.overran ? ", exceeded" : ""));
        if (step.killedAfter !== undefined) add("Killed", brief(step.killedAfter) + " after the stop signal");
        if (step.attempts) add("Attempts", step.attempts.map((a, i) => (i + 1) + ". "
          + (a.end === undefined ? "unfinished"
          : brief(a.end - a.start)) + (a.failure ? ": " + failureText(a.failure) : "")).join("\n"));
        if (step.spans) {
          const depths = [];
          add("Spans", step.spans.map((span) => {
            const depth = span.parent === undefined ? 0 : depths[span.parent] + 1;
            depths.push(depth);
            return "    ".repeat(depth) + span.name + "  "
              + (span.end === undefined ? "unfinished" : brief(span.end - span.start))
              + (span.error ? ", failed: " + span.error : "");
          }).join("\n"));
        }
        add("Note", step.note);
        add("Announcement", step.announcement);
        add("Last output", step.lastOutput);
        add("Read", (step.reads || []).join(", "));
        add("Provided", (step.provides || []).join(", "));
        add("Emitted", (step.emitted || []).map((e) => e.event + (e.payload ? " " + e.payload : "")).join("\n"));
        if (step.undo) add("Undo", (step.undo.end === undefined ? "unfinished" : brief(step.undo.end - step.undo.start))
          + (step.undo.failure ? ", failed: " + failureText(step.undo.failure) : ""));
        if (step.retry) add("Retry", step.retry.attempts + " attempts, backoff " + brief(step.retry.backoff));
        add("CPU time", step.cpuTime === undefined ? undefined : brief(step.cpuTime));
        add("Comment", step.comment);
        return list;
      };
      const close = (row) => {
        if (row.getAttribute("aria-expanded") !== "true") return;
        row.setAttribute("aria-expanded", "false");
        row.nextElementSibling.remove();
      };
      const closeAll = () => rows.forEach(close);
      const toggle = (row) => {
        if (row.getAttribute("aria-expanded") === "true") return close(row);
        const details = document.createElement("tr");
        details.className = "details";
        const cell = details.insertCell();
        cell.colSpan = row.cells.length;
        cell.append(facts(record.steps[row.dataset.i]));
        row.after(details);
        row.setAttribute("aria-expanded", "true");
      };

      // One row is in the tab order; the arrow keys lead to the others.
      const rove = (row) => {
        for (const other of rows) other.tabIndex = other === row ? 0 : -1;
      };
      rove(rows[0]);
      const move = (row, key) => {
        const shown = rows.filter((other) => !other.hidden);
        const at = shown.indexOf(row);
        const places = {
          ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 10, PageUp: at - 10, Home: 0, End: shown.length - 1,
        };
        const next = places[key];
        const target = shown[Math.max(0, Math.min(shown.length - 1, next))];
        rove(target);
        target.focus();
      };
      body.addEventListener("keydown", (event) => {
        const row = event.target.closest("tr.step");
        if (!row) return;
        if (event.key === "Enter" || event.key === " ") toggle(row);
        else if (/^(Arrow(Up|Down)|Page(Up|Down)|Home|End)$/.test(event.key)) move(row, event.key);
        else if (event.key === "Escape") close(row);
        else return;
        event.preventDefault();
      });
      body.addEventListener("click", (event) => {
        const row = event.target.closest("tr.step");
        if (!row || String(getSelection())) return;
        rove(row);
        toggle(row);
      });

      // Zooming
      const lanes = document.getElementById("lanes");
      for (const button of document.querySelectorAll("button[data-zoom]")) {
        button.addEventListener("click", () => {
          lanes.className = "lanes z" + button.dataset.zoom;
          for (const other of document.querySelectorAll("button[data-zoom]"))
            other.setAttribute("aria-pressed", String(other === button));
        });
      }

      // Hovering
      const tip = document.getElementById("tip");
      const hover = (event) => {
        const mark = event.target.closest("[data-i]");
        if (!mark || mark.matches("tr") && !event.target.closest(".bar")) { tip.hidden = true; return; }
        const step = record.steps[mark.dataset.i];
        const lines = [step.state + (step.critical ? ", on the critical path" : "")];
        if (step.start !== undefined)
          lines.push("started at " + brief(step.start), "waited " + brief(step.waiting), "ran " + brief(step.running));
        if (!step.critical && step.slack !== undefined) lines.push("slack " + brief(step.slack));
        const result = step.failure ? step.failure.message : step.reason ? step.reason.text : step.note;
        tip.replaceChildren(element("b", step.id), ...lines.map((line) => element("div", line)));
        if (result) tip.append(element("div", result.slice(0, 300)));
        tip.hidden = false;
        const box = tip.getBoundingClientRect();
        tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 4)) + "px";
        const below = event.clientY + 18;
        const isLow = below + box.height > innerHeight;
        tip.style.top = (isLow ? Math.max(4, event.clientY - box.height - 12) : below) + "px";
      };
      for (const place of [lanes, body]) if (place) {
        place.addEventListener("pointermove", hover);
        place.addEventListener("pointerleave", () => { tip.hidden = true; });
      }
      if (lanes) lanes.addEventListener("click", (event) => {
        const mark = event.target.closest("[data-i]");
        const row = mark && rows.find((row) => row.dataset.i === mark.dataset.i);
        if (!row) return;
        row.hidden = false;
        row.scrollIntoView({ block: "center" });
        rove(row);
        row.focus({ preventScroll: true });
      });
    })();

    """#
}
