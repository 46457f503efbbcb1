import Synchronization

/// The part of a library that is started in code: it knows which words are too common to be indexed.
enum WordFilter {
  struct UnknownLanguage: Error, CustomStringConvertible {
    let language: String
    var description: String { "WordFilter knows en and de, not \"\(language)\"" }
  }

  private static let common = [
    "en": ["a", "an", "and", "for", "in", "of", "the", "to"],
    "de": ["das", "der", "die", "ein", "eine", "in", "und", "zu"],
  ]
  private static let words = Mutex<Set<String>>([])

  static func start(language: String) throws(UnknownLanguage) {
    guard let list = common[language] else { throw UnknownLanguage(language: language) }
    words.withLock { $0 = Set(list) }
  }

  static func lets(_ word: String) -> Bool { words.withLock { !$0.contains(word) } }
}
