-- Kind: breaking
-- Items that accounts share with others (catalog/people_shares.h). The owner and the item are those of the key with the share's id, whose
-- `is_link` is 2, so that a share follows its item as keys do. A server of before would end uploads into them.
CREATE TABLE people_shares (
  id TEXT NOT NULL PRIMARY KEY REFERENCES api_keys (id) ON DELETE CASCADE,
  is_folder BIGINT NOT NULL,
  access TEXT NOT NULL
);

CREATE TABLE people_share_accounts (
  share_id TEXT NOT NULL REFERENCES people_shares (id) ON DELETE CASCADE,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  PRIMARY KEY (share_id, account_id)
);

CREATE INDEX people_share_accounts_by_account ON people_share_accounts (account_id);

CREATE TABLE people_share_groups (
  share_id TEXT NOT NULL REFERENCES people_shares (id) ON DELETE CASCADE,
  group_id TEXT NOT NULL REFERENCES account_groups (id) ON DELETE CASCADE,
  PRIMARY KEY (share_id, group_id)
);

CREATE INDEX people_share_groups_by_group ON people_share_groups (group_id);

-- Members of those groups who took the share from their locations.
CREATE TABLE people_share_refusals (
  share_id TEXT NOT NULL REFERENCES people_shares (id) ON DELETE CASCADE,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  PRIMARY KEY (share_id, account_id)
);

-- Whose quota an upload takes: of what goes into a share of a person, the owner's.
ALTER TABLE uploads ADD COLUMN quota_account_id BIGINT NOT NULL DEFAULT 0;

UPDATE uploads SET quota_account_id = account_id;
