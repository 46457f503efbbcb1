/// The CSS of the SVG picture.
///
/// Colours are written in each rule, because programs that draw SVG files do not support CSS variables.
enum ChartStyle {
  struct Palette {
    let ink: String
    let soft: String
    let line: String
    let paper: String
    let panel: String
    let running: String
    /// The outline of a running step's bar.
    let edge: String
    let runningInk: String
    let critical: String
    let criticalInk: String
    let failed: String
    let timedOut: String
    let cancelled: String
    let waiting: String
    let undo: String
    let span: String
  }

  static let light = Palette(
    ink: "#1f2328", soft: "#59636e", line: "#d1d9e0", paper: "#ffffff", panel: "#f6f8fa",
    running: "#b4d2f5", edge: "#5b8fc9", runningInk: "#0b2e59", critical: "#0969da", criticalInk: "#ffffff",
    failed: "#cf222e", timedOut: "#bc4c00", cancelled: "#6e7781", waiting: "#858f99", undo: "#8250df",
    span: "#1f2328")

  static let dark = Palette(
    ink: "#e6edf3", soft: "#9198a1", line: "#3d444d", paper: "#0d1117", panel: "#151b23",
    running: "#2b4c73", edge: "#5a87c0", runningInk: "#d6e6fa", critical: "#4493f8", criticalInk: "#04142b",
    failed: "#f85149", timedOut: "#e0752d", cancelled: "#7d8590", waiting: "#6e7681", undo: "#ab7df8",
    span: "#ffffff")

  /// The CSS rules with a light and a dark palette. The reader's colour scheme decides which palette is used.
  static var css: String {
    "\(rules(light))@media (prefers-color-scheme: dark) {\n\(rules(dark))}\n"
  }

  private static func rules(_ colors: Palette) -> String {
    """
    .chart text { fill: \(colors.soft); font: 12px system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
    .chart .name { fill: \(colors.ink); }
    .chart .title { fill: \(colors.ink); font-size: 18px; font-weight: 600; }
    .chart .heading { fill: \(colors.ink); font-size: 13px; font-weight: 600; }
    .chart .time, .chart .reason { paint-order: stroke; stroke: \(colors.paper); stroke-width: 4px; }
    .chart .bad { fill: \(colors.failed); }
    .chart .paper { fill: \(colors.paper); }
    .chart .stripe { fill: \(colors.panel); }
    .chart .grid { stroke: \(colors.line); stroke-width: 1; }
    .chart .wait { fill: \(colors.waiting); }
    .chart .pause { fill: none; stroke: \(colors.soft); stroke-width: 1.5; stroke-dasharray: 3 2; }
    .chart .run { fill: \(colors.running); stroke: \(colors.edge); }
    .chart .critical .run { fill: \(colors.critical); stroke: \(colors.critical); }
    .chart .failed .run { fill: \(colors.failed); stroke: \(colors.failed); }
    .chart .timedOut .run { fill: \(colors.timedOut); stroke: \(colors.timedOut); }
    .chart .allowed .run { fill: \(colors.timedOut); stroke: \(colors.timedOut); }
    .chart .cancelled .run { fill: \(colors.cancelled); stroke: \(colors.cancelled); }
    .chart .edge { fill: \(colors.paper); }
    .chart .mark { fill: \(colors.ink); }
    .chart .undo { fill: none; stroke: \(colors.undo); stroke-width: 1.5; stroke-dasharray: 4 2; }
    .chart .span { fill: \(colors.span); fill-opacity: 0.32; }
    .chart .label { fill: \(colors.runningInk); font-size: 11px; }
    .chart .critical .label, .chart .failed .label, .chart .timedOut .label, .chart .cancelled .label {
      fill: \(colors.criticalInk);
    }

    """
  }
}
