-- The name of an account's folder of files. No later account gets it: those of accounts that were
-- removed stay noted.
ALTER TABLE accounts ADD COLUMN home TEXT NOT NULL DEFAULT '';

UPDATE accounts SET home = name;

CREATE UNIQUE INDEX accounts_by_home ON accounts (home);

CREATE TABLE removed_homes (
  home TEXT NOT NULL PRIMARY KEY,
  account_name TEXT NOT NULL,
  removed_at BIGINT NOT NULL
);
