-- The share link that a guest began an upload by; empty for those of accounts. What is not finished ends with the link.
ALTER TABLE uploads ADD COLUMN link_id TEXT NOT NULL DEFAULT '';
