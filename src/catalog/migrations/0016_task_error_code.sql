-- What a task failed of, for programs: the word of an error's code, or empty.
ALTER TABLE tasks ADD COLUMN error_code TEXT NOT NULL DEFAULT '';
