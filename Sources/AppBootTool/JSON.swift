// Answers to programs are written as JSON, so each file of this target sees the writer.
@_exported public import AppBootJSON
