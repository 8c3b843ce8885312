-- Kind: adding
-- Locks of those who may only add what is new (catalog/file_locks.h): they are in nobody's way who may change the item. A server of
-- before takes them for locks as all others.
ALTER TABLE file_locks ADD COLUMN gives_way BIGINT NOT NULL DEFAULT 0;
