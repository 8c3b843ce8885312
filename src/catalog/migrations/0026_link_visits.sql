-- What guests have taken of a file by a link whose downloads are limited: a row for each guest, and one with an empty
-- visit for what the file gives to all. bytes is what is left of a counted download and of what is for all, and what a
-- guest has taken that was not counted yet.
CREATE TABLE link_visits (
  link_id TEXT NOT NULL REFERENCES links (id) ON DELETE CASCADE,
  file TEXT NOT NULL,
  visit TEXT NOT NULL,
  is_counted BIGINT NOT NULL,
  bytes BIGINT NOT NULL,
  touched_at BIGINT NOT NULL,
  PRIMARY KEY (link_id, file, visit)
);

CREATE INDEX link_visits_by_time ON link_visits (touched_at);
