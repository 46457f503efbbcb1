/// The elements that several pages share: tables, and the pictures that the script draws.
enum PageFrame {
  /// Returns the HTML of a section with a table.
  ///
  /// - Parameters:
  ///   - id: The id of the heading.
  ///   - heads: The titles of the columns, and their CSS classes.
  ///   - rows: The rows as HTML.
  ///   - note: A sentence below the table as HTML; empty for none.
  static func table(
    _ title: String, id: String, heads: [(title: String, classes: String)], rows: [String], note: String = ""
  ) -> String {
    """
    <section><h2 id="\(id)">\(title)</h2>
    <div class="table" tabindex="0" role="region" aria-labelledby="\(id)"><table><thead><tr>\
    \(heads.map { "<th scope=\"col\" class=\"\($0.classes)\">\($0.title)</th>" }.joined())</tr></thead>
    <tbody>
    \(rows.joined())</tbody></table></div>
    \(note.isEmpty ? "" : "<p class=\"aside\">\(note)</p>\n")</section>

    """
  }

  /// Returns the HTML of a row: its name, then its cells as HTML with their CSS classes.
  ///
  /// - Parameter id: The attribute with the id to which a link leads; empty for none.
  static func row(_ name: String, id: String = "", _ cells: [(classes: String, html: String)]) -> String {
    let cells = cells.map { "<td\($0.isEmpty ? "" : " class=\"\($0)\"")>\($1)</td>" }
    return "<tr\(id)><th scope=\"row\"><bdi>\(Markup.visible(name))</bdi></th>\(cells.joined())</tr>\n"
  }

  /// The strip of running and waiting steps, the waterfall with its controls, and the details of a step.
  ///
  /// They are hidden without scripts.
  ///
  /// - Parameter changes: The differences from a base; `nil` without a base.
  static func pictures(_ changes: PageChanges? = nil) -> String {
    let legend = changes.map { "<p class=\"aside\">\($0.legend)</p>\n" } ?? ""
    return PageFiles.pictures.split(separator: "{changes}").joined(separator: legend)
  }
}
