/// The style sheet of a page.
enum PageStyle {
  /// All rules.
  static var css: String { colours + frame + tables + trend + media }

  private static let light = """
    --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --paper: #ffffff; --panel: #f6f8fa; --link: #0969da;
    --run: #a9c9ee; --chain: #0969da; --wait: #b9c1ca; --lane: #8250df; --good: #1a7f37; --bad: #cf222e;
    --warn: #9a6700; --good-wash: #dafbe1; --bad-wash: #ffebe9; --warn-wash: #fff8c5;
    """
  private static let colours = """
    :root { color-scheme: light dark; \(light) }
    @media (prefers-color-scheme: dark) { :root {
      --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --paper: #0d1117; --panel: #151b23; --link: #4493f8;
      --run: #2f5583; --chain: #4493f8; --wait: #4a525c; --lane: #ab7df8; --good: #3fb950; --bad: #f85149;
      --warn: #d29922; --good-wash: #12261e; --bad-wash: #2b1517; --warn-wash: #272115; } }
    @media (forced-colors: active) { :root {
      --ink: CanvasText; --soft: CanvasText; --line: GrayText; --paper: Canvas; --panel: Canvas; --link: LinkText;
      --run: GrayText; --chain: Highlight; --wait: GrayText; --lane: LinkText; --good: CanvasText;
      --bad: CanvasText; --warn: CanvasText; } }
    :root.print { color-scheme: light; \(light) }

    """

  private static let frame = """
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; }
    body { margin: 0; background: var(--paper); color: var(--ink);
      font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
    main, header, footer { max-width: 1480px; margin: 0 auto; padding: 0 24px; }
    header { padding-top: 24px; }
    h1 { font-size: 22px; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
    h2 { font-size: 16px; margin: 28px 0 8px; }
    h3 { font-size: 14px; margin: 0; overflow-wrap: anywhere; }
    h4 { font-size: 12px; margin: 12px 0 2px; color: var(--soft); }
    pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 320px; overflow: auto;
      font: 13px/1.45 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    a { color: var(--link); }
    .top { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; }
    .badge { padding: 2px 12px; border-radius: 999px; font-weight: 600; border: 1px solid currentColor; }
    .good { color: var(--good); background: var(--good-wash); }
    .bad { color: var(--bad); background: var(--bad-wash); }
    .warn { color: var(--warn); background: var(--warn-wash); }
    .lead { margin: 8px 0 0; font-size: 15px; overflow-wrap: anywhere; }
    .aside, small { color: var(--soft); font-size: 12px; }
    .aside { margin: 6px 0; overflow-wrap: anywhere; }
    .todo { list-style: none; margin: 0; padding: 0; display: grid; gap: 10px;
      grid-template-columns: repeat(auto-fill, minmax(min(100%, 340px), 1fr)); }
    .todo li { border: 1px solid var(--line); border-left: 4px solid var(--chain); border-radius: 6px;
      background: var(--panel); padding: 8px 14px; min-width: 0; }
    .todo .failure { border-left-color: var(--bad); grid-column: 1 / -1; }
    .todo .allowed { border-left-color: var(--warn); }
    .todo p { margin: 2px 0 0; overflow-wrap: anywhere; }
    .todo .place { color: var(--soft); font-weight: 400; }
    .todo .n { float: right; font-weight: 600; margin-left: 12px; }
    .n { font-variant-numeric: tabular-nums; white-space: nowrap; }
    .over { color: var(--bad); }
    .box { border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
    canvas { display: block; width: 100%; }
    #strip { height: 66px; } #axis { height: 22px; border-bottom: 1px solid var(--line); }
    #scroll { position: relative; max-height: 70vh; overflow-y: auto; overflow-x: hidden; }
    #waterfall { position: sticky; top: 0; touch-action: pan-y; }
    #pad { position: absolute; top: 0; left: 0; width: 1px; }
    .bar-row { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 24px 0 8px; }
    .bar-row h2, .bar-row h3 { margin: 0; flex: 1 1 auto; }
    button, input, select { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line);
      border-radius: 6px; padding: 3px 10px; min-width: 0; max-width: 100%; min-height: 28px; }
    button { cursor: pointer; background: var(--panel); }
    button[aria-pressed="true"] { outline: 2px solid var(--link); }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
    #waterfall:focus-visible { outline-offset: -2px; }
    #step { border: 1px solid var(--line); border-radius: 6px; background: var(--panel); padding: 10px 14px;
      margin-top: 10px; }
    #step .bar-row { margin: 0; }
    .copy { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; margin: 10px 0; }
    .copy input { flex: 1 1 260px; font-family: ui-monospace, Menlo, Consolas, monospace; }
    .facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 16px; margin: 10px 0 0; }
    .facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
    .why { margin: 0; padding-left: 22px; overflow-wrap: anywhere; }
    .legend { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 8px 0 0; padding: 0; list-style: none;
      color: var(--soft); font-size: 12px; }
    .legend svg { width: 22px; height: 14px; vertical-align: middle; margin-right: 6px; }
    .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap; }
    #tip { position: fixed; z-index: 9; max-width: min(420px, 92vw); padding: 6px 10px; border-radius: 6px;
      pointer-events: none; background: var(--paper); border: 1px solid var(--line); font-size: 12px;
      white-space: pre-wrap; overflow-wrap: anywhere; }
    [hidden] { display: none !important; }
    footer { color: var(--soft); font-size: 12px; padding: 24px 24px 40px; overflow-wrap: anywhere; }

    """

  private static let tables = """
    .table { border: 1px solid var(--line); border-radius: 6px; overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th, td { text-align: left; padding: 3px 10px; border-bottom: 1px solid var(--line); }
    thead th { background: var(--panel); white-space: nowrap; font-weight: 600; }
    thead button { all: unset; cursor: pointer; } thead button:focus-visible { outline: 2px solid var(--link); }
    [aria-sort="ascending"] button::after { content: " ↑"; } [aria-sort="descending"] button::after { content: " ↓"; }
    tbody th { font-weight: 500; overflow-wrap: anywhere; } tbody tr:last-child > * { border-bottom: 0; }
    th.n, td.n { text-align: right; }
    .result { color: var(--soft); max-width: 420px; overflow-wrap: anywhere; }
    .state.f, .state.t { color: var(--bad); font-weight: 600; }
    .state.c, .state.allowed { color: var(--warn); } .state.k, .state.w, .state.y { color: var(--soft); }

    """

  private static let trend = """
    .trend { display: grid; grid-template-columns: 80px minmax(0, 1fr); border: 1px solid var(--line);
      border-radius: 6px; }
    .trend svg { width: 100%; height: 200px; font-size: 12px; fill: var(--soft); overflow: visible; }
    .trend circle { fill: var(--chain); } .trend .f { fill: var(--bad); } .trend .mark { fill: var(--lane); }
    .trend .grid { stroke: var(--line); } .trend .median { stroke: var(--ink); stroke-width: 2; }
    .trend .budget { stroke: var(--bad); stroke-dasharray: 5 4; }
    .trend line.mark { stroke: var(--lane); stroke-dasharray: 3 3; }
    .spark { display: block; width: 120px; height: 22px; fill: none; stroke: var(--chain); stroke-width: 1.5; }

    """

  private static let media = """
    @media (max-width: 1000px) { .wide { display: none; } }
    @media (max-width: 700px) {
      main, header, footer { padding-left: 12px; padding-right: 12px; }
      .narrow { display: none; } th, td { padding-left: 6px; padding-right: 6px; }
      .facts { grid-template-columns: minmax(0, 1fr); } .facts dd { margin-bottom: 6px; } }
    @media print {
      .bar-row input, .bar-row select, .bar-row label, button, .keys, .copy, .todo a { display: none; }
      thead button { display: inline; }
      .box, .todo li, .trend, tr { break-inside: avoid; } h2, h3, thead { break-after: avoid; }
      .table, #scroll, pre { overflow: visible; max-height: none; }
      canvas { height: auto !important; } #waterfall { position: static; }
      .narrow { display: table-cell; }
      td, tbody th { overflow-wrap: break-word; padding-left: 5px; padding-right: 5px; }
      .wide { display: none; } .result { display: table-cell; } }

    """
}
