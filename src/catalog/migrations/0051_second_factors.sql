-- Kind: breaking
-- Authenticators (catalog/second_factors.h). `confirmed_at` is 0 until a code of it has been shown; from then on it takes one to sign
-- in. `last_step` is that of the last code that was used (RFC 6238): none counts twice. A server of before would ask for none.
CREATE TABLE totp (
  account_id BIGINT NOT NULL PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  sealed_secret TEXT NOT NULL,
  last_step BIGINT NOT NULL,
  confirmed_at BIGINT NOT NULL
);

-- Each opens the account once in the place of a code.
CREATE TABLE recovery_codes (
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  PRIMARY KEY (account_id, hash)
);
