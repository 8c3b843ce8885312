-- Where the mount of the item led when it was deleted; empty for own files, and for what was deleted before.
ALTER TABLE bin_items ADD COLUMN leads_to TEXT NOT NULL DEFAULT '';
