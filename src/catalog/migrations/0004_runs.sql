-- Counts the transactions of the ledger by a run, so that one whose commit was not heard of is known
-- to have happened or not.
ALTER TABLE runs ADD COLUMN ledger_entry BIGINT NOT NULL DEFAULT 0;
