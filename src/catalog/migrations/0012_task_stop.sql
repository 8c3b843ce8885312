-- Whether a task that has not ended is to stop, for the server that runs it, which looks several times a second.
ALTER TABLE tasks ADD COLUMN stop_wanted INTEGER NOT NULL DEFAULT 0;
