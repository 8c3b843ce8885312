-- What the names of incomplete items have in common that a run makes, and the tags of the runs that
-- ended: only what has one of these is known to be of use to no server any more.
ALTER TABLE runs ADD COLUMN partial_tag TEXT NOT NULL DEFAULT '';

CREATE TABLE ended_runs (
  partial_tag TEXT NOT NULL PRIMARY KEY,
  ended_at BIGINT NOT NULL
);
