-- Kind: adding
-- Groups of accounts (catalog/groups.h). `from_provider` is 1 if a provider of sign-in says who is in it.
CREATE TABLE account_groups (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  default_quota_bytes BIGINT,
  from_provider BIGINT NOT NULL,
  created_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX account_groups_by_name ON account_groups (name);

CREATE TABLE group_members (
  group_id TEXT NOT NULL REFERENCES account_groups (id) ON DELETE CASCADE,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, account_id)
);

CREATE INDEX group_members_by_account ON group_members (account_id);
