ALTER TABLE notes ADD COLUMN tag TEXT;
-- The table is called notes.
CREATE INDEX notes_by_tag
  ON note (tag);
