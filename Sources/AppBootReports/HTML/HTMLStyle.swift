/// The style sheet of the HTML report.
enum HTMLStyle {
  /// The rules of the page and the chart.
  static var css: String { page + table + ChartStyle.css }

  private static let page = """
    :root { color-scheme: light dark;
      --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --paper: #ffffff; --panel: #f6f8fa; --link: #0969da;
      --good: #1a7f37; --bad: #cf222e; --warn: #9a6700; --good-wash: #dafbe1; --bad-wash: #ffebe9;
      --warn-wash: #fff8c5; --shade: 0 8px 24px rgba(31, 35, 40, 0.18); }
    @media (prefers-color-scheme: dark) { :root {
      --ink: #e6edf3; --soft: #9198a1; --line: #3d444d; --paper: #0d1117; --panel: #151b23; --link: #4493f8;
      --good: #3fb950; --bad: #f85149; --warn: #d29922; --good-wash: #12261e; --bad-wash: #2b1517;
      --warn-wash: #272115; --shade: 0 8px 24px rgba(0, 0, 0, 0.6); } }
    * { box-sizing: border-box; }
    html { -webkit-text-size-adjust: 100%; }
    body { margin: 0; background: var(--paper); color: var(--ink);
      font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
    main, header, footer { max-width: 1480px; margin: 0 auto; padding: 0 24px; }
    header { padding-top: 28px; }
    h1 { font-size: 24px; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
    h2 { font-size: 16px; margin: 32px 0 10px; }
    code, pre, .mono { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    code, .mono { font-size: 0.92em; }
    .top { display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: center; }
    .badge { padding: 2px 12px; border-radius: 999px; font-weight: 600; border: 1px solid currentColor; }
    .good { color: var(--good); background: var(--good-wash); }
    .bad { color: var(--bad); background: var(--bad-wash); }
    .warn { color: var(--warn); background: var(--warn-wash); }
    .lead { margin: 8px 0 0; color: var(--soft); overflow-wrap: anywhere; }
    .cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 20px 0 0; }
    .card {
      border: 1px solid var(--line); border-radius: 8px; background: var(--panel); padding: 10px 14px;
      min-width: 0;
    }
    .card dt { color: var(--soft); font-size: 12px; }
    .card dd {
      margin: 0; font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums;
      overflow-wrap: anywhere;
    }
    .card .sub { font-size: 12px; font-weight: 400; color: var(--soft); }
    .over { color: var(--bad); }
    .failure { border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 6px;
      background: var(--panel); padding: 10px 14px; margin: 0 0 10px; }
    .failure.allowed { border-left-color: var(--warn); }
    .failure h3 { margin: 0 0 4px; font-size: 14px; overflow-wrap: anywhere; }
    .failure .place { color: var(--soft); font-weight: 400; }
    .failure pre {
      margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; max-height: 320px;
      overflow: auto;
    }
    .path {
      list-style: none; display: flex; flex-wrap: wrap; gap: 6px; margin: 0; padding: 0; max-height: 172px;
      overflow: auto;
    }
    .path li {
      border: 1px solid var(--line); border-radius: 6px; padding: 2px 10px; background: var(--panel);
      max-width: 100%; overflow-wrap: anywhere;
    }
    .path li + li::before { content: "→"; color: var(--soft); margin-right: 8px; }
    .path .mono { color: var(--soft); }
    .lanes {
      display: grid; grid-template-columns: max-content 1fr; border: 1px solid var(--line); border-radius: 8px;
      overflow: hidden;
    }
    .lane-names { padding: 30px 12px 8px 14px; border-right: 1px solid var(--line); background: var(--panel); }
    .lane-names div { font-size: 12px; white-space: nowrap; display: flex; align-items: center; }
    .lane-names .tall { height: 26px; } .lane-names .low { height: 16px; }
    .scroll { overflow-x: auto; padding: 8px 12px; min-width: 0; }
    .scroll svg.chart { display: block; width: 100%; min-width: 240px; }
    .z4 svg.chart { width: 400%; } .z16 svg.chart { width: 1600%; }
    .axis { display: none; } .z1 .a1, .z4 .a4, .z16 .a16 { display: inline; }
    .bar-row { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; margin: 0 0 10px; }
    .bar-row h2 { margin: 0; flex: 1 1 auto; }
    section { margin-top: 32px; }
    .aside { color: var(--soft); margin: -4px 0 10px; }
    .legend {
      display: flex; flex-wrap: wrap; gap: 4px 18px; margin: 10px 0 0; padding: 0; list-style: none;
      color: var(--soft); font-size: 12px;
    }
    .legend svg { width: 24px; height: 18px; vertical-align: middle; margin-right: 6px; }
    button, input, select { font: inherit; color: inherit; }
    .group { display: inline-flex; border: 1px solid var(--line); border-radius: 6px; overflow: hidden; }
    .group button { border: 0; background: var(--panel); padding: 3px 12px; cursor: pointer; }
    .group button + button { border-left: 1px solid var(--line); }
    .group button[aria-pressed="true"] { background: var(--link); color: var(--paper); }
    input, select {
      border: 1px solid var(--line); border-radius: 6px; background: var(--paper); padding: 4px 10px;
      min-width: 0;
    }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
    .hidden {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap;
    }
    #tip { position: fixed; z-index: 9; max-width: min(420px, 92vw); padding: 8px 12px; border-radius: 8px;
      pointer-events: none; background: var(--paper); border: 1px solid var(--line); box-shadow: var(--shade);
      font-size: 13px;
      overflow-wrap: anywhere; }
    #tip[hidden] { display: none; }
    #tip b { display: block; }
    footer { color: var(--soft); font-size: 12px; padding: 28px 24px 40px; overflow-wrap: anywhere; }

    """

  private static let table = """
    .table { border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; }
    table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
    th {
      text-align: left; background: var(--panel); border-bottom: 1px solid var(--line); padding: 0;
      white-space: nowrap; font-weight: 600;
    }
    th button { all: unset; box-sizing: border-box; display: block; width: 100%; padding: 7px 10px; cursor: pointer; }
    th button:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
    th button::after { content: "↕"; opacity: 0.35; margin-left: 5px; font-weight: 400; }
    th[aria-sort="ascending"] button::after { content: "↑"; opacity: 1; }
    th[aria-sort="descending"] button::after { content: "↓"; opacity: 1; }
    th.plain { padding: 7px 10px; }
    td { padding: 4px 10px; border-bottom: 1px solid var(--line); vertical-align: middle; }
    tr:last-child > td { border-bottom: 0; }
    td.n, th.n { text-align: right; white-space: nowrap; }
    tbody tr.step { cursor: pointer; }
    tbody tr.step:hover > *, tbody tr.step[aria-expanded="true"] > * { background: var(--panel); }
    tbody tr.step:focus-visible { outline: 2px solid var(--link); outline-offset: -2px; }
    tbody th {
      background: none; border-bottom: 1px solid var(--line); padding: 4px 10px; min-width: 130px;
      max-width: 300px; white-space: normal; overflow-wrap: break-word;
    }
    tr:last-child > th { border-bottom: 0; }
    th .command { display: block; color: var(--soft); font-weight: 400; font-size: 12px; }
    tr.critical th { box-shadow: inset 3px 0 var(--link); }
    .bar { width: 36%; min-width: 220px; padding: 0 10px; }
    .bar svg { display: block; width: 100%; height: 22px; overflow: visible; }
    .state { white-space: nowrap; } .state::before { margin-right: 6px; }
    .state.succeeded::before { content: "✓"; color: var(--good); }
    .state.failed::before { content: "✗"; color: var(--bad); }
    .state.timedOut::before { content: "◷"; color: var(--bad); }
    .state.skipped::before { content: "–"; color: var(--soft); }
    .state.cancelled::before { content: "■"; color: var(--soft); }
    .state.waiting::before, .state.ready::before, .state.running::before { content: "▸"; color: var(--link); }
    .state.failed, .state.timedOut { color: var(--bad); font-weight: 600; }
    .state.allowed, .state.allowed::before { color: var(--warn); }
    .state.skipped, .state.cancelled { color: var(--soft); }
    .result { color: var(--soft); min-width: 190px; max-width: 320px; overflow-wrap: anywhere; }
    .result div { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
    tr.details > td { background: var(--panel); padding: 10px 18px 16px; cursor: auto; }
    .facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 2px 18px; margin: 0; }
    .facts dt { color: var(--soft); } .facts dd { margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
    .none { padding: 18px; color: var(--soft); }
    .none[hidden], tr[hidden] { display: none; }
    @media (min-width: 1401px) { .table { overflow: visible; } thead th { position: sticky; top: 0; z-index: 2; }
      thead th:first-child { border-top-left-radius: 8px; } thead th:last-child { border-top-right-radius: 8px; } }
    @media (max-width: 1400px) { .bar { min-width: 160px; } }
    @media (max-width: 1000px) { .wide { display: none; } .bar { width: auto; } }
    @media (max-width: 700px) {
      main, header, footer { padding-left: 14px; padding-right: 14px; }
      .narrow { display: none; } td, th button, tbody th, th.plain { padding-left: 7px; padding-right: 7px; }
      .cards { grid-template-columns: repeat(2, minmax(0, 1fr)); } .card dd { font-size: 17px; }
      .bar-row input {
        flex: 1 1 140px; } .facts { grid-template-columns: minmax(0, 1fr); } .facts dd { margin-bottom: 6px;
      }
      .lane-names { padding-left: 8px; padding-right: 8px; }
    }
    @media print { .bar-row input, .bar-row select, .group { display: none; } .table, .scroll { overflow: visible; } }

    """
}
