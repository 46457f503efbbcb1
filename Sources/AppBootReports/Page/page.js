// The script of a page, which draws the data of the page.
//
// The facts are complete without it. It writes texts with `textContent` and on canvases only, so that no text of a
// record becomes markup. It is a module: its names are its own. Scripts/page-files writes it into PageFiles.swift.

// MARK: Helpers: elements, times, and the texts of the data.

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

// MARK: The columns of a launch or of an event's handlers.

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

// MARK: The view of the waterfall, the colours, and the strip of running and waiting steps.

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

// MARK: The rows of the waterfall. It paints only the rows in sight.

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

// MARK: The facts about the selected step.

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

// MARK: The table, which follows the order and the search of the waterfall.

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

// MARK: Search, order, zoom, selection, and the address that keeps them.

const address = (i) => {
  const values = new URLSearchParams();
  if (i >= 0) values.set("step", part.id[i]);
  if (view.from > 0 || view.to < part.total) values.set("range", Math.round(view.from) + "-" + Math.round(view.to));
  if (byId("find").value) values.set("find", byId("find").value);
  if (byId("order").value !== "start") values.set("order", byId("order").value);
  if (part !== parts[0]) values.set("part", parts.indexOf(part));
  return "#" + values;
};
const keepAddress = () => {
  try { history.replaceState(null, "", address(selected)); } catch { location.replace(address(selected)); }
};
const list = () => {
  const words = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean), key = orders[byId("order").value];
  order = [];
  for (let i = 0; i < part.count; i++)
    if ((!onlyChain || part.place.has(i)) && words.every((text) => searchText(i).includes(text))) order.push(i);
  const keys = Array.from({ length: part.count }, (_, i) => key(i));
  order.sort((a, b) => keys[a] === keys[b] ? a - b : keys[a] - keys[b]);
  part.places = null;
  shownRows = tableLimit;
  const height = Math.max(1, order.length) * rowHeight + 6;
  byId("pad").style.height = height + "px";
  waterfall.style.height = Math.min(height, Math.max(240, Math.round(innerHeight * 0.7))) + "px";
  byId("count").textContent = order.length + " of " + part.count + " steps";
  byId("empty").hidden = order.length > 0;
  markSorted(byId("order").value);
  keepAddress();
  draw();
  showTableSoon();
};
const setView = (from, to) => {
  const least = Math.min(part.total, 1000), width = Math.min(part.total, Math.max(least, to - from));
  view.from = Math.max(0, Math.min(part.total - width, from));
  view.to = view.from + width;
  keepAddress();
  draw();
};
const zoom = (center, factor) =>
  setView(center - (center - view.from) * factor, center + (view.to - center) * factor);
const pan = (share) => setView(view.from + share * (view.to - view.from), view.to + share * (view.to - view.from));
const bringIntoSight = (i) => {
  const row = order.indexOf(i) * rowHeight;
  if (row >= 0 && (row < scroller.scrollTop || row > scroller.scrollTop + waterfall.clientHeight - 2 * rowHeight))
    scroller.scrollTop = Math.max(0, row - waterfall.clientHeight / 3);
  if (hasRun(i) && (part.end[i] < view.from || part.start[i] > view.to)) {
    const half = (view.to - view.from) / 2, middle = (part.start[i] + part.end[i]) / 2;
    setView(middle - half, middle + half);
  }
};
const select = (i) => {
  selected = i;
  if (i >= 0) {
    bringIntoSight(i);
    say(part.id[i] + ", " + state(i) + (hasRun(i) ? ", ran " + brief(running(i)) : ""));
  }
  keepAddress();
  showStep();
  draw();
};
const rowAt = (event) => {
  const box = waterfall.getBoundingClientRect();
  const row = order[Math.floor((event.clientY - box.top + scroller.scrollTop) / rowHeight)];
  return row === undefined ? -1 : row;
};
const timeAt = (event) => {
  const box = waterfall.getBoundingClientRect(), left = names();
  return view.from + (event.clientX - box.left - left) / (box.width - left - 12) * (view.to - view.from);
};
waterfall.addEventListener("wheel", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) zoom(timeAt(event), Math.exp(event.deltaY * 0.003));
  else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
    pan((event.deltaX || event.deltaY) / 900);
  else return;
  event.preventDefault();
}, { passive: false });
const tip = byId("tip");
const showTip = (event, i) => {
  tip.hidden = i < 0;
  if (i < 0) return;
  const m = more(i);
  tip.textContent = [part.id[i] + ", " + state(i) + (part.place.has(i) ? ", critical" : ""),
    hasRun(i) ? ran(i) + ", waited " + brief(waited(i)) + ", started at " + brief(part.start[i]) : word(m.reason),
    wordsOf(i), m.failure ? result(i) : ""].filter(Boolean).join("\n");
  tip.style.left = Math.max(4, Math.min(innerWidth - tip.offsetWidth - 8, event.clientX + 14)) + "px";
  tip.style.top = Math.max(4, Math.min(innerHeight - tip.offsetHeight - 8, event.clientY + 16)) + "px";
};
let drag = null;
waterfall.addEventListener("pointerdown", (event) => {
  drag = { x: event.clientX, from: view.from, to: view.to, time: timeAt(event), moved: false };
  drag.isRange = event.shiftKey;
  waterfall.setPointerCapture(event.pointerId);
});
waterfall.addEventListener("pointermove", (event) => {
  if (!drag) {
    const i = rowAt(event);
    if (i !== hovered) { hovered = i; draw(); }
    showTip(event, i);
    return;
  }
  if (Math.abs(event.clientX - drag.x) > 3) drag.moved = true;
  if (!drag.moved || drag.isRange) return;
  const shift = (drag.x - event.clientX) / (waterfall.clientWidth - names() - 12) * (drag.to - drag.from);
  setView(drag.from + shift, drag.to + shift);
});
waterfall.addEventListener("pointerup", (event) => {
  const end = timeAt(event), i = rowAt(event);
  if (drag && drag.moved && drag.isRange) setView(Math.min(drag.time, end), Math.max(drag.time, end));
  else if (drag && !drag.moved) select(i === selected ? -1 : i);
  drag = null;
});
waterfall.addEventListener("pointercancel", () => { drag = null; });
waterfall.addEventListener("pointerleave", () => { tip.hidden = true; hovered = -1; draw(); });
waterfall.addEventListener("dblclick", (event) => zoom(timeAt(event), 0.4));
const move = (rows) => {
  const now = order.indexOf(selected);
  const next = now < 0 ? 0 : Math.max(0, Math.min(order.length - 1, now + rows));
  if (order.length) select(order[next]);
};
const keys = {
  j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
  Home: () => move(-Infinity), End: () => move(Infinity),
  PageDown: () => move(20), PageUp: () => move(-20),
  "+": () => zoom((view.from + view.to) / 2, 0.6), "-": () => zoom((view.from + view.to) / 2, 1.6),
  ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), 0: () => setView(0, part.total),
  Enter: () => { if (selected >= 0) { panel.tabIndex = -1; panel.focus(); } }, Escape: () => select(-1),
};
waterfall.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
  keys[event.key]();
  event.preventDefault();
});
addEventListener("keydown", (event) => {
  const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "/") byId("find").focus();
  else if ((event.key === "j" || event.key === "k") && document.activeElement !== waterfall) {
    waterfall.focus();
    keys[event.key]();
  } else return;
  event.preventDefault();
});
byId("find").addEventListener("input", () => { list(); say(byId("count").textContent); });
byId("order").addEventListener("change", list);
byId("critical").addEventListener("click", () => {
  onlyChain = !onlyChain;
  byId("critical").setAttribute("aria-pressed", onlyChain);
  list();
});
byId("closer").addEventListener("click", () => keys["+"]());
byId("wider").addEventListener("click", () => keys["-"]());
byId("whole").addEventListener("click", () => keys[0]());
scroller.addEventListener("scroll", draw);

// MARK: The beginning: the parts to choose from, the address, and the events of the window.

const choosePart = (number) => {
  part = parts[number] || parts[0];
  view = { from: 0, to: part.total };
  selected = hovered = -1;
  byId("part").value = parts.indexOf(part);
};
const readAddress = () => {
  const values = new URLSearchParams(location.hash.slice(1));
  choosePart(Number(values.get("part")) || 0);
  byId("find").value = values.get("find") || "";
  byId("order").value = orders[values.get("order")] ? values.get("order") : "start";
  const [from, to] = (values.get("range") || "").split("-").map(Number);
  if (to > from) view = { from: Math.max(0, from), to: Math.min(part.total, to) };
  const wanted = part.id.indexOf(values.get("step") || "\u0000");
  list();
  if (wanted >= 0) select(wanted); else showStep();
};
const begin = () => {
  parts.forEach((each, number) => {
    const choice = make("option", each.name);
    choice.value = number;
    byId("part").append(choice);
  });
  byId("part").parentElement.hidden = parts.length < 2;
  byId("part").addEventListener("change", () => {
    choosePart(Number(byId("part").value));
    list();
    showStep();
  });
  if (part.change === undefined) byId("order").querySelector("[value=change]").remove();
  for (const item of document.querySelectorAll("[data-step]")) {
    const link = make("a", "show");
    link.href = address(Number(item.dataset.step));
    link.setAttribute("aria-label", "Show " + part.id[Number(item.dataset.step)] + " in the waterfall");
    item.querySelector("h3").append(" ", link);
  }
  byId("pictures").hidden = part.count === 0;
  if (part.count > 0) readAddress();
  addEventListener("hashchange", readAddress);
  addEventListener("resize", list);
  const repaint = () => { if (part.count > 0) paintAll(); };
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"])
    matchMedia(query).addEventListener("change", repaint);
  addEventListener("beforeprint", () => { document.documentElement.classList.add("print"); repaint(); });
  addEventListener("afterprint", () => { document.documentElement.classList.remove("print"); repaint(); });
  performance.mark("ready");
};
begin();
