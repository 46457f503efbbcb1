// The script of a page, which draws the data of the page.
//
// The facts are complete without it. It writes texts with `textContent` and on canvases only, so that no text of a
// record becomes markup. It is a module: its names are its own. Scripts/page-files writes it into PageFiles.swift.

// MARK: Helpers: elements, times, and the texts of the data.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId("data").textContent);
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
  if (value === undefined) return "";
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

// MARK: The steps of the launch and of the handlers of each event, linked to each other.

const hasRun = (step) => step.start !== undefined;
// The step in the base. A base without a start begins where the step begins.
const before = (step) => {
  const start = step.baseStart === undefined ? step.start : step.baseStart;
  return step.baseRun === undefined || start === undefined ? null : { start, end: start + step.baseRun };
};
for (const part of data.parts) {
  for (const step of part.steps) step.followers = [];
  part.steps.forEach((step, index) => {
    step.index = index;
    // The data leave out what most steps have, and what other members have.
    step.command ??= part.steps[0].command;
    step.state ??= "succeeded";
    step.title ??= step.state;
    step.lane ??= "background";
    step.onFailure ??= "stop";
    step.result ??= step.note;
    step.runOnly ??= part.runOnly && part.runOnly.join(step.id);
    if (step.place && step.place.startsWith(":")) step.place = part.manifest + step.place;
    step.after = (step.after || []).map((other) => part.steps[other]);
    step.isReleased = step.releasedBy !== undefined;
    if (step.isReleased) step.resource ??= step.lane === "main" ? "the main lane" : "a slot";
    step.waitedFor = part.steps[step.isReleased ? step.releasedBy : step.waitedFor];
    for (const other of step.after) other.followers.push(step);
  });
  part.chain = part.chain.map((index) => part.steps[index]);
  for (const step of part.chain) step.isCritical = true;
  part.total = part.steps.reduce((total, step) => Math.max(total, step.end || 0, step.undo ? step.undo.end : 0,
    before(step) ? before(step).end : 0), Math.max(1, part.duration));
}
let part = data.parts[0];
const running = (step) => hasRun(step) ? step.end - step.start : undefined;
const waited = (step) => hasRun(step) ? step.start - step.ready : undefined;
// The record of a step that was running at its end has only a part of the step's time.
const lasted = (step) => (step.state === "running" ? "at least " : "") + brief(running(step));
const isFailed = (step) => step.state === "failed" || step.state === "timedOut";
// A service that failed after it was ready.
const failedLater = (step) => step.failedAt !== undefined;
const isOverBudget = (step) => step.budget !== undefined && running(step) > step.budget;
const attempts = (step) => !hasRun(step) ? [] : step.attempts || [{ start: step.start, end: step.end }];
const searchText = (step) => {
  if (step.searched === undefined)
    step.searched = [step.id, step.command, step.title, step.isCritical ? "critical" : "",
      step.attempts ? "retried" : "", step.isAllowed ? "allowed" : "",
      isOverBudget(step) ? "over budget" : "", step.cause, step.reason, step.note, step.output,
      step.commandLine, step.result, step.changed].join(" ").toLowerCase();
  return step.searched;
};
const orders = {
  start: (step) => hasRun(step) ? step.start : Infinity,
  lane: (step) => (step.lane === "main" ? 0 : 1e18) + (hasRun(step) ? step.start : 1e17),
  time: (step) => hasRun(step) ? -running(step) : 1,
  wait: (step) => hasRun(step) ? -waited(step) : 1,
  change: (step) => step.change === undefined ? 1 : -Math.abs(step.change),
  manifest: (step) => step.index,
};

// MARK: The view of the waterfall, the colours, and the strip of running and waiting steps.

const rowHeight = 22;
const barHeight = 12;
let view = { from: 0, to: part.total };
// The selected range: the rows outside of it are hidden.
let range = null;
let order = [], selected = null, hovered = null, onlyChain = false;
const strip = byId("strip"), axis = byId("axis"), waterfall = byId("waterfall"), scroller = byId("scroll");
const names = () => Math.min(240, Math.max(128, Math.round(waterfall.clientWidth * 0.22)));
const fontFamily = "system-ui, -apple-system, \"Segoe UI\", Roboto, \"Noto Sans\", sans-serif";
const colourNames = ["ink", "soft", "line", "paper", "panel", "run", "edge", "chain", "bad", "warn", "wait",
  "lane"];
const forcedColours = matchMedia("(forced-colors: active)");
let colour = {}, isPrinting = false;
const readColours = () => {
  const style = getComputedStyle(document.documentElement);
  for (const name of colourNames) colour[name] = style.getPropertyValue("--" + name).trim();
};
const prepare = (canvas) => {
  // Paper has more dots than a window.
  const scale = isPrinting ? 3 : devicePixelRatio || 1, width = canvas.clientWidth, height = canvas.clientHeight;
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
// Writes a text on a rim of paper, which lines do not cross.
const write = (pen, text, x, y) => {
  pen.strokeStyle = colour.paper;
  pen.lineWidth = 4;
  pen.lineJoin = "round";
  pen.strokeText(text, x, y);
  pen.lineWidth = 1;
  pen.fillText(text, x, y);
};
// The steps that run, and those that wait for a slot or the main lane, at each moment at which one changes.
const counts = (p) => {
  const moments = [];
  for (const step of p.steps) {
    if (step.resource && waited(step) > p.total / 1000) moments.push([step.ready, 0, 1], [step.start, 0, -1]);
    for (const { start, end } of attempts(step)) moments.push([start, 1, 0], [end, -1, 0]);
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
  const area = (name, heights, base, unit) => {
    pen.fillStyle = colour[name];
    pen.beginPath();
    pen.moveTo(left + 0.5, base);
    heights.forEach((height, column) => {
      for (const side of [0.5, 1.5]) pen.lineTo(left + column + side, base + Math.round(height * unit));
    });
    pen.lineTo(left + columns + 0.5, base);
    pen.fill();
  };
  area("wait", highest[1], 38, 24 / Math.max(1, count.mostWaiting));
  area("run", highest[0], 33.5, -30 / Math.max(1, count.most));
  pen.strokeStyle = colour.edge;
  pen.stroke();
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
// The label of the budget is beside its line, in place of the times that it would cover.
const paintAxis = (area) => {
  const top = prepare(axis), step = tickStep(area.width - area.left);
  const widthOf = (text) => top.pen.measureText(text).width;
  let from = Infinity, to = -Infinity;
  if (part.budget >= view.from && part.budget <= view.to) {
    const line = Math.round(area.x(part.budget)), text = "budget " + brief(part.budget), size = widthOf(text);
    from = line + 4 + size < area.width ? line + 4 : line - 4 - size;
    to = from + size;
    top.pen.fillStyle = colour.bad;
    top.pen.fillText(text, from, 11);
  }
  top.pen.fillStyle = colour.soft;
  for (let time = Math.ceil(view.from / step) * step; time <= view.to; time += step) {
    const x = Math.round(area.x(time)), end = x + 3 + widthOf(brief(time));
    if (end < area.width && (end < from - 6 || x > to + 3)) top.pen.fillText(brief(time), x + 3, 11);
    // Among forced colours none is faint.
    area.pen.globalAlpha = forcedColours.matches && !isPrinting ? 0.3 : 1;
    fill(area.pen, "line", x, 0, 1, area.height);
    area.pen.globalAlpha = 1;
    if (step <= 0) break;
  }
  if (to > from) fill(area.pen, "bad", Math.round(area.x(part.budget)), 0, 2, area.height);
};
// What a step draws: for each entry of the legend its words, or nothing.
const drawing = (step) => {
  const colour = hasRun(step) && barColour(step), place = step.resource;
  const isNext = selected && (step === selected || step.after.includes(selected) || selected.after.includes(step));
  return {
    run: colour === "run" && "running", chain: colour === "chain" && "on the critical path", bad: colour === "bad" && "failed",
    warn: colour !== "warn" ? attempts(step).length > 1 && "failed attempt"
      : step.state === "cancelled" ? "cancelled" : "allowed to fail",
    later: failedLater(step) && "failed after it was ready",
    wait: waited(step) > part.total / 1000 && (place ? "waiting for " + place : "delayed"),
    backoff: attempts(step).length > 1 && "backoff",
    after: step.isCritical && step.waitedFor && !step.isReleased && "waited for the step before it",
    lane: (step.isCritical || step === selected) && step.isReleased && "released " + place,
    near: isNext && step !== selected && "before or after the selected step", main: step.lane === "main" && "main lane",
    budget: isOverBudget(step) && "budget of a step", named: step.isNamed && "named by the verdict",
    span: step.spans && "span", undo: step.undo && "undo", before: before(step) && "before",
  };
};
const showLegend = () => {
  const drawn = part.steps.map(drawing);
  for (const item of document.querySelectorAll(".legend li")) {
    const words = [...new Set(drawn.map((step) => step[item.dataset.if]).filter(Boolean))];
    item.hidden = words.length === 0;
    item.lastChild.textContent = words.join(" or ").replace(/^((waiting for|released) .*) or \2 /, "$1 or ");
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

// Fills a bar. Its outline tells it from the paper, and its hatch from other bars where colours do not.
const bar = (pen, name, x, y, width, height) => {
  fill(pen, name === "run" && width < 3 ? "edge" : name, x, y, width, height);
  if (name === "bad" || name === "warn") hatch(pen, x, y, width, height, name === "warn");
  if (name !== "run" || width < 3) return;
  const from = Math.round(x) + 0.5, to = Math.round(x + width) - 0.5;
  pen.strokeStyle = colour.edge;
  pen.strokeRect(from, y + 0.5, to - from, height - 1);
};
const hatch = (pen, x, y, width, height, isBackward) => {
  pen.save();
  pen.beginPath();
  pen.rect(x, y, width, height);
  pen.clip();
  pen.strokeStyle = colour.paper;
  pen.lineWidth = 1;
  pen.beginPath();
  for (let k = -height; k < Math.min(width, 4000); k += 5) {
    pen.moveTo(x + k, isBackward ? y : y + height);
    pen.lineTo(x + k + height, isBackward ? y + height : y);
  }
  pen.stroke();
  pen.restore();
};
const labelled = (pen, text, x, y, width, name) => {
  if (width < pen.measureText(text).width + 8) return;
  pen.fillStyle = colour[name];
  pen.fillText(text, x + 4, y);
};
const barColour = (step) => isFailed(step) && !failedLater(step) ? (step.isAllowed ? "warn" : "bad")
  : step.state === "cancelled" ? "warn" : step.isCritical ? "chain" : "run";
const paintBackoff = (area, last, next, y) => {
  const { pen, x } = area, from = x(last.end), to = x(next.start), middle = y + barHeight / 2 + 0.5;
  pen.strokeStyle = colour.soft;
  pen.setLineDash([2, 3]);
  pen.beginPath();
  pen.moveTo(from, middle);
  pen.lineTo(to, middle);
  pen.stroke();
  pen.setLineDash([]);
  const text = "backoff " + brief(next.start - last.end), size = pen.measureText(text).width;
  pen.fillStyle = colour.soft;
  if (to - from > size + 24) write(pen, text, from + 16, middle);
};
const paintAttempts = (area, step, y) => {
  const { pen, x } = area, all = attempts(step), middle = y + barHeight / 2 + 0.5;
  all.forEach((attempt, k) => {
    const from = x(attempt.start), width = Math.max(1.5, x(attempt.end) - from), next = all[k + 1];
    if (next) paintBackoff(area, attempt, next, y);
    bar(pen, next ? "warn" : barColour(step), from, y, width, barHeight);
    if (all.length < 2) return;
    pen.fillStyle = colour.ink;
    const room = Math.abs(x(next ? next.start : all[k - 1].end) - x(next ? attempt.end : attempt.start));
    // The number is inside of the bar, else beside it in a pause.
    if (width > 18) {
      fill(pen, "paper", from + 2, y + 1, pen.measureText(k + 1).width + 4, barHeight - 2);
      labelled(pen, String(k + 1), from, middle, width, "ink");
    } else if (room > 28) write(pen, String(k + 1), next ? from + width + 3 : from - 11, middle);
  });
};
// Returns where the room for the label of the bar ends.
const paintExtras = (area, step, y) => {
  const { pen, x } = area, { spans = [], undo } = step, middle = y + barHeight / 2 + 0.5;
  let limit = area.width;
  for (const { name, start, end = start } of spans) {
    const mark = barColour(step) === "chain" ? "paper" : "ink";
    fill(pen, mark, x(start), y + barHeight - 3, Math.max(1, x(end) - x(start) - 1), 3);
    labelled(pen, name, x(start), y + barHeight / 2 - 1, x(end) - x(start), mark);
  }
  if (undo) {
    const from = x(undo.start), width = Math.max(3, x(undo.end) - from);
    fill(pen, undo.isFailed ? "bad" : "lane", from, y, width, barHeight);
    const text = undo.isFailed ? "↶ undo failed" : "↶ undo", size = pen.measureText(text).width;
    limit = from;
    if (from + width + 4 + size < area.width) write(pen, text, from + width + 4, middle);
    else if (width > size + 10) labelled(pen, text, from + 2, middle, width, "paper");
    else if (from - size - 8 > x(step.end)) write(pen, text, limit = from - size - 4, middle);
  }
  if (isOverBudget(step)) fill(pen, "bad", x(step.start + step.budget), y - 3, 2, barHeight + 6);
  if (failedLater(step)) {
    const isBeyond = x(step.failedAt) > area.width - 12;
    const text = "✗\uFE0E" + (isBeyond ? " at " + brief(step.failedAt) + " →" : "");
    const size = pen.measureText(text).width;
    limit = isBeyond ? area.width - size - 4 : x(step.failedAt) - size / 2;
    pen.fillStyle = colour.bad;
    write(pen, text, limit, middle);
  }
  return limit;
};
const paintBase = (area, step, y) => {
  const base = before(step);
  if (!base) return;
  area.pen.strokeStyle = colour.ink;
  const width = Math.max(1, area.x(base.end) - area.x(base.start));
  area.pen.strokeRect(area.x(base.start) + 0.5, y - 2.5, width, barHeight + 4);
};
// The texts beside a bar: the first that has room is shown.
const labels = (step) => {
  let text = lasted(step);
  if (step.attempts) text += ", " + step.attempts.length + " attempts";
  if (Math.abs(step.change) >= part.total / 200) text += "  Δ " + signed(step.change);
  return [text, lasted(step)];
};
// The label is behind the bar, else inside its end, else before it, else in the longest pause between attempts.
const paintLabel = (area, step, y, limit) => {
  const { pen, x, width, left } = area, base = before(step), middle = y + barHeight / 2 + 0.5;
  const start = Math.max(left, x(step.start)), stop = Math.min(width, x(step.end));
  const end = Math.max(x(step.end), base ? x(base.end) : 0);
  const first = Math.min(start, x(step.ready), base ? x(base.start) : start);
  const isHatched = ["bad", "warn"].includes(barColour(step)) || step.attempts;
  const pauses = attempts(step).slice(1).map((next, k) => [x(attempts(step)[k].end) + 16, x(next.start) - 14]);
  const [from, to] = pauses.sort((a, b) => b[1] - b[0] - a[1] + a[0])[0] || [0, 0];
  pen.fillStyle = colour[barColour(step) === "bad" ? "bad" : "soft"];
  for (const text of labels(step)) {
    const size = pen.measureText(text).width;
    if (end + 5 >= left && end + 5 + size < limit) return write(pen, text, end + 5, middle);
    if (!isHatched && stop - start > size + 30) {
      pen.fillStyle = colour[step.isCritical ? "paper" : "ink"];
      return pen.fillText(text, stop - size - 6, middle);
    }
    if (first - size - 18 > left && first - 18 < width) return write(pen, text, first - size - 18, middle);
    if (from > left && to < width && to - from > size) {
      fill(pen, "paper", from, y, to - from, barHeight);
      pen.fillStyle = colour.soft;
      return pen.fillText(text, from, middle);
    }
  }
};
const paintRow = (area, step, y) => {
  const { pen, x, width, left } = area;
  if (!hasRun(step)) {
    const base = before(step);
    if (base) paintBase(area, step, y);
    const start = (base ? Math.max(left, x(base.end)) : left) + 6;
    pen.fillStyle = colour.soft;
    write(pen, shorten(pen, step.reason || step.title, width - start - 6), start, y + barHeight / 2 + 0.5);
    return;
  }
  if (step.start > step.ready) fill(pen, "wait", x(step.ready), y + 4, x(step.start) - x(step.ready), 4);
  paintAttempts(area, step, y);
  const limit = paintExtras(area, step, y);
  paintBase(area, step, y);
  paintLabel(area, step, y, limit);
};
const texts = new Map();
const shorten = (pen, text, width) => {
  const key = width + text;
  if (texts.has(key)) return texts.get(key);
  // Names are cut at the end. What another name has too at its beginning is left out, up to the last whole word.
  const cut = (front, rest) => {
    let short = front + rest;
    for (let length = rest.length - 1; length > 0 && pen.measureText(short).width > width; length -= 1)
      short = front + rest.slice(0, length) + "…";
    return short;
  };
  let short = cut("", text);
  if (short !== text && part.steps.some(({ id }) => id !== text && id.startsWith(short.slice(0, -1)))) {
    let common = 0;
    for (const { id } of part.steps) {
      let same = 0;
      while (id !== text && same < text.length && id[same] === text[same]) same += 1;
      common = Math.max(common, same);
    }
    short = cut("…", text.slice(text.slice(0, common).search(/[^ ./:_-]*$/)));
  }
  if (texts.size > 5000) texts.clear();
  texts.set(key, short);
  return short;
};
const paintName = (area, step, y) => {
  const { pen, left } = area;
  pen.font = (step.isCritical || step.isNamed ? "600 " : "") + "12px " + fontFamily;
  if (step.isNamed) fill(pen, "warn", 0, y - 2, 3, barHeight + 4);
  pen.fillStyle = colour[isFailed(step) && !step.isAllowed ? "bad" : step.isNamed || isFailed(step) ? "warn"
    : hasRun(step) ? "ink" : "soft"];
  // The selector U+FE0E makes a symbol text where it would be an emoji.
  if (step.mark) pen.fillText(step.mark + "\uFE0E", 6, y + barHeight / 2 + 0.5);
  pen.fillText(shorten(pen, step.id, left - 42), 22, y + barHeight / 2 + 0.5);
  pen.fillStyle = colour.soft;
  if (step.lane === "main") pen.fillText("M", left - 18, y + barHeight / 2 + 0.5);
};
const link = (area, from, to, y, name, isDashed) => {
  // An attempt may have released the slot before the step's end.
  const { pen, x } = area, start = x(Math.min(from.end, to.start)), end = x(to.start);
  const tip = y.get(to) + barHeight / 2;
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
const paintLinks = (area, places, first, last) => {
  const y = { get: (step) => (places.get(step) * rowHeight) - scroller.scrollTop + 5 };
  const inSight = (step) => places.get(step) >= first - 60 && places.get(step) <= last + 60;
  const connect = (from, to, name, isDashed) => {
    if (hasRun(from) && hasRun(to) && inSight(from) && inSight(to)) link(area, from, to, y, name, isDashed);
  };
  for (const step of part.chain)
    if (step.waitedFor)
      connect(step.waitedFor, step, step.isReleased ? "lane" : "chain", step.isReleased);
  const step = selected || hovered;
  if (!step) return;
  for (const other of step.after) connect(other, step, "ink", false);
  for (const follower of step.followers) connect(step, follower, "soft", false);
  if (step.isReleased) connect(step.waitedFor, step, "lane", true);
};
const paintWaterfall = () => {
  const area = prepare(waterfall), top = scroller.scrollTop;
  const first = Math.max(0, Math.floor(top / rowHeight));
  const last = Math.min(order.length, Math.ceil((top + area.height) / rowHeight));
  paintAxis(area);
  const places = part.places || (part.places = new Map(order.map((step, k) => [step, k])));
  area.pen.save();
  area.pen.beginPath();
  area.pen.rect(area.left, 0, area.width - area.left, area.height);
  area.pen.clip();
  for (let k = first; k < last; k++) paintRow(area, order[k], k * rowHeight - top + 5);
  paintLinks(area, places, first, last);
  area.pen.restore();
  fill(area.pen, "panel", 0, 0, area.left - 4, area.height);
  for (let k = first; k < last; k++) {
    const step = order[k], y = k * rowHeight - top;
    if (step === selected || step === hovered) {
      area.pen.strokeStyle = colour[step === selected ? "chain" : "soft"];
      area.pen.strokeRect(1, y + 0.5, area.width - 2, rowHeight - 1);
    }
    paintName(area, step, y + 5);
  }
};

// MARK: The facts about the selected step.

const panel = byId("step");
const ran = (step) => step.ran || "ran " + lasted(step);
const whyChain = (first) => {
  const list = make("ol", undefined, "why"), seen = new Set();
  for (let step = first; step && !seen.has(step) && seen.size < 50; step = step.waitedFor) {
    seen.add(step);
    const item = make("li");
    item.append(linkTo(step, step.id), " started " + brief(step.start) + " after the beginning, " + step.why);
    list.append(item);
  }
  return list;
};
const exceeded = (text, isExceeded) => text && text + (isExceeded ? ", exceeded" : "");
const factsOf = (step) => [
  ["Command", step.command],
  ["Place", step.place],
  ["Comment", step.comment],
  ["Lane", step.lane],
  ["After", step.after.map((other) => other.id).join(", ") || "nothing"],
  ["On failure", step.onFailure],
  ["Reason", step.reason],
  ["Could start at", brief(step.ready)],
  ["Started at", brief(step.start)],
  ["Ended at", brief(failedLater(step) ? step.failedAt : step.end) + (step.state === "running" ? " or later" : "")],
  ["Waited", brief(waited(step))],
  [failedLater(step) || step.command === "RunService" ? "Ready after" : "Ran", lasted(step)],
  ["CPU time", brief(step.cpu)],
  ["Slack", step.slack === 0 ? "none, it is on the critical path" : brief(step.slack)],
  ["Budget", exceeded(brief(step.budget), isOverBudget(step))],
  ["Timeout", exceeded(brief(step.timeout), step.overran)],
  ["Killed", step.killed !== undefined && brief(step.killed) + " after the stop signal"],
  ["Change", step.changed],
  ["Drawn", drawn(step)],
  ["Effect on the launch", step.effect],
  ["Note", step.note],
  ["Announcement", step.announcement],
  ["Spans", (step.spans || []).map(({ name, start, end, error }) => name + "  "
    + (end === undefined ? "unfinished" : brief(end - start)) + (error ? "  failed: " + error : "")).join("\n")],
  ["Undo", step.undo && brief(step.undo.end - step.undo.start)
    + (step.undo.isFailed ? ", failed: " + step.undo.text : "")],
  ["Reads", step.reads],
  ["Provides", step.provides],
  ["Emitted", step.emitted],
].filter(([, value]) => value);
// The times of the bars, which are one launch, beside those of the change, which are medians.
const drawn = (step) => {
  const base = before(step);
  if (!base || !hasRun(step)) return "";
  const now = brief(running(step)) + " in this launch";
  return part.base === "medians" ? now : brief(base.end - base.start) + " in the launch of the base, " + now;
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
  const found = make("div"), body = make("pre", text);
  // A long text scrolls, also by keys.
  body.tabIndex = 0;
  found.append(make("h4", title), body);
  return found;
};
const showStep = () => {
  const step = selected;
  panel.hidden = !step;
  if (!step) return;
  const head = make("h3"), close = make("button", "Close");
  head.append(make("bdi", step.id), " " + step.title + (step.isAllowed ? " (allowed)" : "")
    + (failedLater(step) ? " at " + brief(step.failedAt) : !hasRun(step) ? ""
      : (step.state === "running" ? " for " : " after ") + lasted(step))
    + (step.undo && step.undo.isFailed ? "; undo failed" : ""));
  close.type = "button";
  close.addEventListener("click", () => { select(null); waterfall.focus(); });
  const title = make("div", undefined, "bar-row");
  title.append(head, close);
  const list = make("dl", undefined, "facts");
  for (const [name, value] of factsOf(step)) list.append(make("dt", name), make("dd", value));
  panel.replaceChildren(title);
  if (step.commandLine) panel.append(block("Command line", "$ " + step.commandLine));
  const tries = step.attempts || [];
  if (step.cause && tries.at(-1)?.text !== step.cause) panel.append(block("Cause", step.cause));
  // Attempts in a row with the same text are one.
  for (let k = 0, next; k < tries.length; k = next) {
    for (next = k + 1; next < tries.length && tries[next].text === tries[k].text;) next += 1;
    const times = tries.slice(k, next).map(({ start, end }) => brief(end - start)).join(", ");
    const name = next > k + 1 ? "Attempts " + (k + 1) + " to " + next : "Attempt " + (k + 1);
    panel.append(block(name + ", " + times, tries[k].text));
  }
  if (step.output) panel.append(block(step.rest ? "Output" : "Last output", step.output));
  if (step.rest) panel.append(make("p", step.rest, "aside"));
  if (step.runOnly) panel.append(copyLine(step.runOnly));
  panel.append(list);
  if (hasRun(step)) panel.append(make("h4", "Why it did not start earlier"), whyChain(step));
};

// MARK: The table, which follows the order and the search of the waterfall.

const tableLimit = 200;
let shownRows = tableLimit;
const grid = byId("steps"), rest = byId("rest");
const cell = (text, className, value) => {
  const found = make("td", text, className);
  found.dataset.v = value === undefined ? "" : value;
  return found;
};
const tableRow = (step) => {
  const row = make("tr"), head = make("th"), name = linkTo(step), status = make("td");
  head.scope = "row";
  name.append(make("bdi", step.id));
  head.append(name);
  row.dataset.i = step.index;
  status.append(make("span", step.title, "state " + step.state + (step.isAllowed ? " allowed" : "")));
  if (step.undo && step.undo.isFailed) status.append(", ", make("span", "undo failed", "state failed"));
  const time = (value, className) => cell(brief(value), className, value);
  row.append(cell(step.index + 1, "n narrow", step.index + 1), head, status, make("td", step.lane, "wide"),
    time(step.start, "n narrow"), time(waited(step), "n narrow"),
    cell(lasted(step), isOverBudget(step) ? "n over" : "n", running(step)), time(step.slack, "n wide"),
    make("td", step.result || "", "result wide"));
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

const address = (step) => {
  const values = new URLSearchParams();
  if (step) values.set("step", step.id);
  const text = ({ from, to }) => Math.round(from) + "-" + Math.round(to);
  if (view.from > 0 || view.to < part.total) values.set("range", text(view));
  if (range) values.set("rows", text(range));
  if (byId("find").value) values.set("find", byId("find").value);
  if (byId("order").value !== "start") values.set("order", byId("order").value);
  if (part !== data.parts[0]) values.set("part", data.parts.indexOf(part));
  return "#" + values;
};
const keepAddress = () => {
  try { history.replaceState(null, "", address(selected)); } catch { location.replace(address(selected)); }
};
// With a selected step, the waterfall leaves room for the step's facts.
const fitHeight = () => {
  const height = Math.max(1, order.length) * rowHeight + 6;
  byId("pad").style.height = height + "px";
  const most = selected ? Math.max(150, Math.round(innerHeight * 0.35)) : Math.max(240, Math.round(innerHeight * 0.7));
  scroller.style.setProperty("--most", most + "px");
  waterfall.style.height = Math.min(height, most) + "px";
};
const list = () => {
  const words = byId("find").value.toLowerCase().split(/\s+/).filter(Boolean), key = orders[byId("order").value];
  order = part.steps.filter((step) =>
    (!onlyChain || step.isCritical) && (!range || hasRun(step) && step.end >= range.from && step.ready <= range.to)
    && words.every((text) => searchText(step).includes(text)));
  const keys = part.steps.map(key);
  order.sort(({ index: a }, { index: b }) => keys[a] === keys[b] ? a - b : keys[a] - keys[b]);
  part.places = null;
  shownRows = tableLimit;
  fitHeight();
  byId("count").textContent = order.length + " of " + part.steps.length + " steps";
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
const chooseRange = (found) => {
  range = found;
  setView(found ? found.from : 0, found ? found.to : part.total);
  list();
};
const bringIntoSight = (step) => {
  const row = order.indexOf(step) * rowHeight;
  if (row >= 0 && (row < scroller.scrollTop || row > scroller.scrollTop + waterfall.clientHeight - 2 * rowHeight))
    scroller.scrollTop = Math.max(0, row - waterfall.clientHeight / 3);
  const top = scroller.getBoundingClientRect().top + row - scroller.scrollTop;
  if (row >= 0 && (top < 0 || top > innerHeight - 2 * rowHeight)) scrollBy(0, top - innerHeight / 3);
  if (hasRun(step) && (step.end < view.from || step.start > view.to)) {
    const half = (view.to - view.from) / 2, middle = (step.start + step.end) / 2;
    setView(middle - half, middle + half);
  }
};
const select = (step) => {
  selected = step;
  fitHeight();
  showLegend();
  if (step) {
    bringIntoSight(step);
    say(step.id + ", " + step.title + (hasRun(step) ? ", " + ran(step) : ""));
  }
  keepAddress();
  showStep();
  draw();
};
// Selects a step, and brings its row and the panel below the waterfall into view.
const reveal = (step) => {
  select(step);
  scrollBy(0, strip.getBoundingClientRect().top - 8);
};
// Returns a link that shows a step, also if the address has it already.
const linkTo = (step, text) => {
  const link = make("a", text);
  link.href = address(step);
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || !order.includes(step)) return;
    event.preventDefault();
    reveal(step);
  });
  return link;
};
const stepAt = (event) => {
  const box = waterfall.getBoundingClientRect();
  return order[Math.floor((event.clientY - box.top + scroller.scrollTop) / rowHeight)] || null;
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
const showTip = (event, step) => {
  tip.hidden = !step;
  if (!step) return;
  tip.textContent = [step.id + ", " + step.title + (step.isCritical ? ", critical" : ""),
    hasRun(step)
      ? ran(step) + ", waited " + brief(waited(step)) + ", started at " + brief(step.start) : step.reason,
    step.changed, step.cause ? step.result : ""].filter(Boolean).join("\n");
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
    const step = stepAt(event);
    if (step !== hovered) { hovered = step; draw(); }
    showTip(event, step);
    return;
  }
  if (Math.abs(event.clientX - drag.x) > 3) drag.moved = true;
  if (!drag.moved || drag.isRange) return;
  const shift = (drag.x - event.clientX) / (waterfall.clientWidth - names() - 12) * (drag.to - drag.from);
  setView(drag.from + shift, drag.to + shift);
});
waterfall.addEventListener("pointerup", (event) => {
  const end = timeAt(event), step = stepAt(event);
  if (drag && drag.moved && drag.isRange)
    chooseRange({ from: Math.min(drag.time, end), to: Math.max(drag.time, end) });
  else if (drag && !drag.moved) select(step === selected ? null : step);
  drag = null;
});
waterfall.addEventListener("pointercancel", () => { drag = null; });
waterfall.addEventListener("pointerleave", () => { tip.hidden = true; hovered = null; draw(); });
waterfall.addEventListener("dblclick", (event) => zoom(timeAt(event), 0.4));
const move = (rows) => {
  const now = order.indexOf(selected);
  const next = now < 0 ? 0 : Math.max(0, Math.min(order.length - 1, now + rows));
  if (order.length) select(order[next]);
};
// The selected step stays in sight while the view changes.
const center = () => selected && hasRun(selected) && selected.end > view.from && selected.start < view.to
  ? (Math.max(selected.start, view.from) + Math.min(selected.end, view.to)) / 2 : (view.from + view.to) / 2;
const keys = {
  j: () => move(1), ArrowDown: () => move(1), k: () => move(-1), ArrowUp: () => move(-1),
  Home: () => move(-Infinity), End: () => move(Infinity),
  PageDown: () => move(20), PageUp: () => move(-20),
  "+": () => zoom(center(), 0.6), "-": () => zoom(center(), 1.6),
  ArrowLeft: () => pan(-0.2), ArrowRight: () => pan(0.2), 0: () => chooseRange(null),
  Enter: () => { if (selected) { panel.tabIndex = -1; panel.focus(); } }, Escape: () => select(null),
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
  part = data.parts[number] || data.parts[0];
  view = { from: 0, to: part.total };
  selected = hovered = range = null;
  byId("part").value = data.parts.indexOf(part);
  showLegend();
};
const readAddress = () => {
  const values = new URLSearchParams(location.hash.slice(1));
  choosePart(Number(values.get("part")) || 0);
  byId("find").value = values.get("find") || "";
  byId("order").value = orders[values.get("order")] ? values.get("order") : "start";
  const read = (name) => {
    const [from, to] = (values.get(name) || "").split("-").map(Number);
    return to > from ? { from: Math.max(0, from), to: Math.min(part.total, to) } : null;
  };
  range = read("rows");
  view = read("range") || view;
  const wanted = part.steps.find((step) => step.id === values.get("step"));
  list();
  if (wanted) return reveal(wanted);
  showStep();
  const failed = order.findIndex((step) => isFailed(step) && !step.isAllowed);
  if (!location.hash && (failed + 1) * rowHeight > scroller.clientHeight)
    scroller.scrollTop = failed * rowHeight - scroller.clientHeight / 3;
};
const begin = () => {
  data.parts.forEach((each, number) => {
    const choice = make("option", each.name);
    choice.value = number;
    byId("part").append(choice);
  });
  byId("part").parentElement.hidden = data.parts.length < 2;
  byId("part").addEventListener("change", () => {
    choosePart(Number(byId("part").value));
    list();
    showStep();
  });
  if (part.base === undefined) byId("order").querySelector("[value=change]").remove();
  for (const item of document.querySelectorAll("[data-step]")) {
    const step = part.steps[item.dataset.step], link = linkTo(step, "show");
    link.setAttribute("aria-label", "Show " + step.id + " in the waterfall");
    item.querySelector("h3").append(" ", link);
  }
  byId("pictures").hidden = part.steps.length === 0;
  if (part.steps.length > 0) readAddress();
  addEventListener("hashchange", readAddress);
  addEventListener("resize", list);
  const repaint = () => { if (part.steps.length > 0) paintAll(); };
  for (const query of ["(prefers-color-scheme: dark)", "(forced-colors: active)"])
    matchMedia(query).addEventListener("change", repaint);
  const print = (isNow) => () => {
    isPrinting = isNow;
    document.documentElement.classList.toggle("print", isNow);
    repaint();
  };
  addEventListener("beforeprint", print(true));
  addEventListener("afterprint", print(false));
  performance.mark("ready");
};
begin();
