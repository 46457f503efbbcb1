// The script of all pages: it writes times as the reader's local time. Scripts/page-files writes it into PageFiles.swift.

for (const place of document.querySelectorAll("[data-time]")) {
  const style = { date: { dateStyle: "medium" }, time: { timeStyle: "medium" } }[place.dataset.style]
    || { dateStyle: "medium", timeStyle: "long" };
  const time = new Date(place.dataset.time);
  if (!isNaN(time)) place.textContent = place.textContent.replace(place.dataset.shown, time.toLocaleString([], style));
}
