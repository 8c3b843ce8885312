-- Where the mount of the folder led when the upload began; empty for own files, and for uploads that began before.
ALTER TABLE uploads ADD COLUMN leads_to TEXT NOT NULL DEFAULT '';
