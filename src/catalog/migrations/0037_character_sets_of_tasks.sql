-- What names in archives to unpack are written in, if the person chose it; needed to start the task again.
ALTER TABLE tasks ADD COLUMN character_set TEXT NOT NULL DEFAULT '';
