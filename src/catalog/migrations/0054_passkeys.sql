-- Kind: breaking
-- Passkeys (catalog/passkeys.h). Texts of bytes are in base64url. `counter_fell_at` is 0 unless the counter once went back. A server
-- of before would open an account that has one with the password alone.
CREATE TABLE passkeys (
  id TEXT NOT NULL PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  credential_id TEXT NOT NULL,
  algorithm BIGINT NOT NULL,
  public_key TEXT NOT NULL,
  counter BIGINT NOT NULL,
  transports TEXT NOT NULL,
  aaguid TEXT NOT NULL,
  backed_up BIGINT NOT NULL,
  name TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  used_at BIGINT NOT NULL,
  counter_fell_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX passkeys_by_credential ON passkeys (credential_id);

CREATE INDEX passkeys_by_account ON passkeys (account_id, created_at, id);
