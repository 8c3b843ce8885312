-- Kind: adding
-- Persons as a provider of sign-in names them, and the accounts that they sign in to.
CREATE TABLE identities (
  id TEXT NOT NULL PRIMARY KEY,
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  made_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX identities_by_subject ON identities (issuer, subject);

CREATE INDEX identities_by_account ON identities (account_id, made_at, id);

-- Sign-ins at a provider whose answer has come, as long as another answer could be shown.
CREATE TABLE sign_in_flows (
  hash TEXT NOT NULL PRIMARY KEY,
  expires_at BIGINT NOT NULL
);

CREATE INDEX sign_in_flows_by_end ON sign_in_flows (expires_at);

-- Logout tokens of a provider that were obeyed, as long as they could be shown again.
CREATE TABLE logout_tokens (
  hash TEXT NOT NULL PRIMARY KEY,
  expires_at BIGINT NOT NULL
);

CREATE INDEX logout_tokens_by_end ON logout_tokens (expires_at);
