// The canvases of a page: the strip of running and waiting steps, the time axis, and the waterfall.

extension PageScript {
  /// The view of the waterfall, the colours, and the strip.
  static let paint = #"""
    const rowHeight = 22;
    const barHeight = 12;
    let view = { from: 0, to: part.total };
    let order = [], selected = -1, hovered = -1, onlyChain = false;
    const strip = byId("strip"), axis = byId("axis"), waterfall = byId("waterfall"), scroller = byId("scroll");
    const names = () => Math.min(240, Math.max(128, Math.round(waterfall.clientWidth * 0.22)));
    const fontFamily = "system-ui, -apple-system, \"Segoe UI\", Roboto, \"Noto Sans\", sans-serif";
    const colourNames = ["ink", "soft", "line", "paper", "panel", "run", "chain", "bad", "warn", "wait", "lane"];
    let colour = {};
    const readColours = () => {
      const style = getComputedStyle(document.documentElement);
      for (const name of colourNames) colour[name] = style.getPropertyValue("--" + name).trim();
    };
    const prepare = (canvas) => {
      const scale = devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
      if (canvas.width !== Math.round(width * scale) || canvas.height !== Math.round(height * scale)) {
        canvas.width = Math.round(width * scale);
        canvas.height = Math.round(height * scale);
      }
      const pen = canvas.getContext("2d");
      pen.setTransform(scale, 0, 0, scale, 0, 0);
      pen.clearRect(0, 0, width, height);
      pen.font = "12px " + fontFamily;
      pen.textBaseline = "middle";
      return { pen, width, height, left: names(), x: (time) =>
        names() + (time - view.from) / (view.to - view.from) * (width - names() - 12) };
    };
    const fill = (pen, name, x, y, width, height) => {
      pen.fillStyle = colour[name];
      pen.fillRect(x, y, width, height);
    };
    // The steps that run, and those that wait for a slot or the main lane, at each moment at which one changes.
    const counts = (p) => {
      const moments = [];
      for (let i = 0; i < p.count; i++) {
        if (p.start[i] === null) continue;
        if (p.start[i] - p.ready[i] > p.total / 1000) moments.push([p.ready[i], 0, 1], [p.start[i], 0, -1]);
        for (const [start, end] of (p.more[i] && p.more[i].attempts) || [[p.start[i], p.end[i]]])
          moments.push([start, 1, 0], [end, -1, 0]);
      }
      moments.sort((a, b) => a[0] - b[0]);
      const found = [[0, 0, 0]];
      let most = 0, mostWaiting = 0;
      for (let k = 0; k < moments.length; k++) {
        const last = found[found.length - 1];
        const now = [moments[k][0], last[1] + moments[k][1], last[2] + moments[k][2]];
        if (last[0] === now[0]) found[found.length - 1] = now; else found.push(now);
      }
      for (const [, a, b] of found) { most = Math.max(most, a); mostWaiting = Math.max(mostWaiting, b); }
      return { found, most, mostWaiting };
    };
    const paintStrip = () => {
      const { pen, width, left, x } = prepare(strip);
      const count = part.counts || (part.counts = counts(part));
      const columns = Math.max(1, Math.floor(width - left - 12));
      const highest = [new Float64Array(columns), new Float64Array(columns)];
      count.found.forEach(([time, ran, waits], k) => {
        const end = k + 1 < count.found.length ? count.found[k + 1][0] : part.total;
        const first = Math.max(0, Math.floor(x(time) - left));
        const last = Math.min(columns - 1, Math.ceil(x(end) - left) - 1);
        for (let column = first; column <= Math.max(first, last) && column < columns; column++) {
          if (ran > highest[0][column]) highest[0][column] = ran;
          if (waits > highest[1][column]) highest[1][column] = waits;
        }
      });
      for (let column = 0; column < columns; column++) {
        const up = highest[0][column] / Math.max(1, count.most) * 30;
        const down = highest[1][column] / Math.max(1, count.mostWaiting) * 24;
        fill(pen, "run", left + column, 34 - up, 1, up);
        fill(pen, "lane", left + column, 38, 1, down);
      }
      fill(pen, "panel", 0, 0, left - 6, 66);
      pen.fillStyle = colour.soft;
      pen.fillText("running ≤ " + count.most, 8, 20);
      pen.fillText("waiting ≤ " + count.mostWaiting, 8, 50);
      strip.setAttribute("aria-label", "At most " + count.most + " ran at once, and at most " + count.mostWaiting
        + " waited for a slot or for the main lane.");
    };
    const tickStep = (width) => {
      const raw = (view.to - view.from) / Math.max(1, width / 100), power = 10 ** Math.floor(Math.log10(raw));
      return [1, 2, 5, 10].map((k) => k * power).find((step) => step >= raw) || raw;
    };
    const paintAxis = (area) => {
      const top = prepare(axis), step = tickStep(area.width - area.left);
      top.pen.fillStyle = colour.soft;
      for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) {
        const x = Math.round(area.x(time));
        if (x + 3 + top.pen.measureText(brief(time)).width < area.width) top.pen.fillText(brief(time), x + 3, 11);
        fill(area.pen, "line", x, 0, 1, area.height);
        if (step <= 0) break;
      }
      if (part.budget !== undefined && part.budget <= view.to) {
        fill(area.pen, "bad", Math.round(area.x(part.budget)), 0, 1, area.height);
        top.pen.fillStyle = colour.bad;
        top.pen.fillText("budget", Math.max(area.left, area.x(part.budget) - 44), 11);
      }
    };
    let frame = 0;
    const draw = () => { if (!frame) frame = requestAnimationFrame(() => { frame = 0; paintAll(); }); };
    const paintAll = () => {
      readColours();
      paintStrip();
      paintWaterfall();
    };

    """#

  /// The rows of the waterfall. It paints only the rows in sight.
  static let rows = #"""
    const hatch = (pen, x, y, width, height, name) => {
      pen.save();
      pen.beginPath();
      pen.rect(x, y, width, height);
      pen.clip();
      pen.strokeStyle = colour[name];
      pen.lineWidth = 1;
      pen.beginPath();
      for (let k = -height; k < Math.min(width, 4000); k += 5) {
        pen.moveTo(x + k, y + height);
        pen.lineTo(x + k + height, y);
      }
      pen.stroke();
      pen.restore();
    };
    const labelled = (pen, text, x, y, width, name) => {
      if (width < pen.measureText(text).width + 8) return;
      pen.fillStyle = colour[name];
      pen.fillText(text, x + 4, y);
    };
    const barColour = (i) => isFailed(i) ? (isAllowed(i) ? "warn" : "bad") : part.state[i] === "c" ? "warn"
      : part.place.has(i) ? "chain" : "run";
    const paintAttempts = (area, i, y) => {
      const { pen, x } = area, all = attempts(i), middle = y + barHeight / 2 + 0.5;
      all.forEach(([start, end, failure], k) => {
        const from = x(start), width = Math.max(1.5, x(end) - from), isLast = k === all.length - 1;
        if (k > 0) {
          const gap = x(all[k - 1][1]);
          pen.strokeStyle = colour.soft;
          pen.setLineDash([2, 3]);
          pen.beginPath();
          pen.moveTo(gap, middle);
          pen.lineTo(from, middle);
          pen.stroke();
          pen.setLineDash([]);
          const text = "backoff " + brief(start - all[k - 1][1]), size = pen.measureText(text).width + 8;
          if (from - gap > size) fill(pen, "paper", gap + 2, y, size, barHeight);
          labelled(pen, text, gap, middle, from - gap, "soft");
        }
        const name = isLast ? barColour(i) : "warn";
        fill(pen, name, from, y, width, barHeight);
        if (failure !== null || isFailed(i)) hatch(pen, from, y, width, barHeight, "paper");
        if (all.length > 1 && width > 18) {
          fill(pen, "paper", from + 2, y + 1, pen.measureText(k + 1).width + 4, barHeight - 2);
          labelled(pen, String(k + 1), from, middle, width, "ink");
        }
      });
    };
    const paintExtras = (area, i, y) => {
      const { pen, x } = area, m = more(i);
      for (const [name, start, end] of m.spans || []) {
        fill(pen, "ink", x(start), y + barHeight - 3, Math.max(1, x(end) - x(start) - 1), 3);
        labelled(pen, word(name), x(start), y + barHeight / 2 - 1, x(end) - x(start), "ink");
      }
      if (m.undo) {
        const from = x(m.undo[0]), width = Math.max(3, x(m.undo[1]) - from);
        pen.strokeStyle = colour[m.undo[2] === null ? "lane" : "bad"];
        pen.strokeRect(from + 0.5, y + 0.5, width, barHeight - 1);
        const text = m.undo[2] === null ? "↶ undo" : "↶ undo failed", size = pen.measureText(text).width;
        pen.fillStyle = pen.strokeStyle;
        const place = from + width + 4 + size < area.width ? from + width + 4 : from - size - 4;
        pen.fillText(text, place, y + barHeight / 2);
      }
      if (m.budget !== undefined && running(i) > m.budget)
        fill(pen, "bad", x(part.start[i] + m.budget), y - 3, 2, barHeight + 6);
    };
    // The step in the base, as [start, end]. A base without a start begins where the step begins.
    const before = (i) => {
      const time = part.baseRun === undefined ? null : at(part.baseRun, i);
      const known = part.baseStart === undefined ? null : at(part.baseStart, i);
      const start = known === null ? part.start[i] : known;
      return time === null || start === null ? null : [start, start + time];
    };
    const paintBase = (area, i, y) => {
      const base = before(i);
      if (!base) return;
      area.pen.strokeStyle = colour.ink;
      const width = Math.max(1, area.x(base[1]) - area.x(base[0]));
      area.pen.strokeRect(area.x(base[0]) + 0.5, y - 2.5, width, barHeight + 4);
    };
    const label = (i) => {
      const count = attempts(i).length, difference = change(i);
      let text = brief(running(i));
      if (count > 1) text += ", " + count + " attempts";
      if (difference !== null && Math.abs(difference) >= part.total / 200) text += "  Δ " + signed(difference);
      return text;
    };
    // The label is behind the bar, else inside its end, else before it.
    const paintLabel = (area, i, y) => {
      const { pen, x, width, left } = area, text = label(i), size = pen.measureText(text).width, base = before(i);
      const start = Math.max(left, x(part.start[i])), stop = Math.min(width, x(part.end[i]));
      const end = Math.max(x(part.end[i]), base ? x(base[1]) : 0);
      const isHatched = isFailed(i) || attempts(i).length > 1;
      pen.fillStyle = colour[isFailed(i) && !isAllowed(i) ? "bad" : "soft"];
      let place = start - size - 18;
      if (!more(i).undo && end + 5 + size < width && end + 5 >= left) place = end + 5;
      else if (!isHatched && stop - start > size + 30) {
        pen.fillStyle = colour[part.place.has(i) ? "paper" : "ink"];
        place = stop - size - 6;
      }
      if (place < left + 2 || place + size > width) return;
      pen.fillText(text, place, y + barHeight / 2 + 0.5);
    };
    const paintRow = (area, i, y) => {
      if (!hasRun(i)) {
        area.pen.fillStyle = colour.soft;
        const base = before(i);
        if (base) paintBase(area, i, y);
        const start = base ? Math.max(area.left, area.x(base[1])) : area.left;
        area.pen.fillText(word(more(i).reason) || state(i), start + 6, y + barHeight / 2 + 0.5);
        return;
      }
      if (part.start[i] > part.ready[i]) {
        const from = area.x(part.ready[i]), width = area.x(part.start[i]) - from;
        fill(area.pen, "wait", from, y + 4, width, 4);
      }
      paintAttempts(area, i, y);
      paintExtras(area, i, y);
      paintBase(area, i, y);
      paintLabel(area, i, y);
    };
    const shorten = (pen, text, width) => {
      const key = width + text;
      if (texts.has(key)) return texts.get(key);
      let short = text;
      for (let length = text.length; length > 3 && pen.measureText(short).width > width; length -= 1)
        short = text.slice(0, Math.ceil(length / 2) - 1) + "…" + text.slice(text.length - Math.floor(length / 2) + 1);
      if (texts.size > 5000) texts.clear();
      texts.set(key, short);
      return short;
    };
    const paintName = (area, i, y) => {
      const { pen, left } = area;
      pen.font = (part.place.has(i) ? "600 " : "") + "12px " + fontFamily;
      pen.fillStyle = colour[isFailed(i) ? (isAllowed(i) ? "warn" : "bad") : hasRun(i) ? "ink" : "soft"];
      pen.fillText(mark(i), 6, y + barHeight / 2 + 0.5);
      pen.fillText(shorten(pen, part.id[i], left - 42), 22, y + barHeight / 2 + 0.5);
      pen.fillStyle = colour.soft;
      if (part.lane[i] === "m") pen.fillText("M", left - 18, y + barHeight / 2 + 0.5);
    };
    const link = (area, from, to, y, name, isDashed) => {
      const { pen, x } = area, start = x(part.end[from]), end = x(part.start[to]), tip = y.get(to) + barHeight / 2;
      pen.strokeStyle = pen.fillStyle = colour[name];
      pen.lineWidth = 1.4;
      pen.setLineDash(isDashed ? [4, 3] : []);
      pen.beginPath();
      pen.moveTo(start, y.get(from) + barHeight / 2);
      pen.bezierCurveTo(start, tip, end - 14, tip, end, tip);
      pen.stroke();
      pen.setLineDash([]);
      pen.beginPath();
      pen.moveTo(end, tip);
      pen.lineTo(end - 5, tip - 3);
      pen.lineTo(end - 5, tip + 3);
      pen.fill();
      pen.lineWidth = 1;
    };
    const reason = (i) => at(part.by, i) === null ? null : { step: at(part.by, i), kind: part.why[i] };
    const paintLinks = (area, places, first, last) => {
      const y = { get: (i) => (places.get(i) * rowHeight) - scroller.scrollTop + 5 };
      const inSight = (i) => places.has(i) && places.get(i) >= first - 60 && places.get(i) <= last + 60;
      const connect = (from, to, name, isDashed) => {
        if (hasRun(from) && hasRun(to) && inSight(from) && inSight(to)) link(area, from, to, y, name, isDashed);
      };
      for (const i of part.chain) {
        const why = reason(i);
        if (why) connect(why.step, i, why.kind === "a" ? "chain" : "lane", why.kind !== "a");
      }
      const i = selected >= 0 ? selected : hovered;
      if (i < 0) return;
      for (const before of part.after[i]) connect(before, i, "ink", false);
      for (const follower of part.followers[i]) connect(i, follower, "soft", false);
      const why = reason(i);
      if (why && why.kind !== "a") connect(why.step, i, "lane", true);
    };
    const paintWaterfall = () => {
      const area = prepare(waterfall), top = scroller.scrollTop;
      const first = Math.max(0, Math.floor(top / rowHeight));
      const last = Math.min(order.length, Math.ceil((top + area.height) / rowHeight));
      paintAxis(area);
      const places = part.places || (part.places = new Map(order.map((i, k) => [i, k])));
      area.pen.save();
      area.pen.beginPath();
      area.pen.rect(area.left, 0, area.width - area.left, area.height);
      area.pen.clip();
      for (let k = first; k < last; k++) paintRow(area, order[k], k * rowHeight - top + 5);
      paintLinks(area, places, first, last);
      area.pen.restore();
      fill(area.pen, "panel", 0, 0, area.left - 4, area.height);
      for (let k = first; k < last; k++) {
        const i = order[k], y = k * rowHeight - top;
        if (i === selected || i === hovered) {
          area.pen.strokeStyle = colour[i === selected ? "chain" : "soft"];
          area.pen.strokeRect(1, y + 0.5, area.width - 2, rowHeight - 1);
        }
        paintName(area, i, y + 5);
      }
    };

    """#
}
