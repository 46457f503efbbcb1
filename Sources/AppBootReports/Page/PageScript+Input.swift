// The pointer, the keyboard and the address of a page.

extension PageScript {
  /// Search, order, zoom, selection, and the address that keeps them.
  static let input = #"""
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

    """#

  /// The beginning: the parts to choose from, the address, and the events of the window.
  static let start = #"""
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

    """#
}
