-- Kind: breaking
-- Where the own files of the account lie, 'files' or 'objects'. NULL: where the fact "home_store" says, which is that of all
-- accounts that were made before this column.
ALTER TABLE accounts ADD COLUMN home_store TEXT;

-- The accounts whose own files are moved to another store, `target`. What lies there is not in use yet while `phase` is 'copying'.
-- What lies in the other store is not in use any more while it is 'clearing'. A row may outlive its account.
CREATE TABLE home_moves (
  account_id BIGINT NOT NULL PRIMARY KEY,
  home TEXT NOT NULL,
  target TEXT NOT NULL,
  phase TEXT NOT NULL,
  begun_at BIGINT NOT NULL
);
