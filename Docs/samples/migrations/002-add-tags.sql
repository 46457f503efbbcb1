ALTER TABLE notes ADD COLUMN tag TEXT;
CREATE INDEX notes_by_tag ON notes (tag);
