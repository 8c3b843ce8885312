-- What an upload that replaces a file has in the spool beyond its quota_bytes: lent on the bytes that it will free.
ALTER TABLE uploads ADD COLUMN lent_bytes BIGINT NOT NULL DEFAULT 0;
-- What an upload to a mount has in the spool, which no quota counts.
ALTER TABLE uploads ADD COLUMN room_bytes BIGINT NOT NULL DEFAULT 0;
-- Who began it: the network of a guest's address, the address of others, and the key of those who had one.
ALTER TABLE uploads ADD COLUMN address TEXT NOT NULL DEFAULT '';
ALTER TABLE uploads ADD COLUMN key_id TEXT NOT NULL DEFAULT '';
