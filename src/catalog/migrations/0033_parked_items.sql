-- Items that a move gives another name beside their own for a moment. A row that a run left tells what to finish or to undo.
-- `path` is from the account's root; `copy_path` is where the copy shows, and is empty if the item is only to get its name back.
-- `copied` is what was copied, `is_leaving` that its deletion may have begun, `boot` the machine's run.
CREATE TABLE parked_items (
  id TEXT NOT NULL PRIMARY KEY,
  account_id BIGINT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  parked_name TEXT NOT NULL,
  leads_to TEXT NOT NULL,
  copy_path TEXT NOT NULL,
  copy_leads_to TEXT NOT NULL,
  copied TEXT NOT NULL,
  is_leaving BIGINT NOT NULL DEFAULT 0,
  boot TEXT NOT NULL
);

CREATE INDEX parked_items_by_account ON parked_items (account_id);
