-- Kind: adding
-- What the release after this one might add: only for the program coffer_next of the tests.
ALTER TABLE accounts ADD COLUMN next_note TEXT NOT NULL DEFAULT 'none';

CREATE TABLE next_things (
  id BIGINT NOT NULL PRIMARY KEY
);
