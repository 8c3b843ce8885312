-- How many of a task's items are over, so that an interrupted one can go on with the others, and whether it deletes for good.
ALTER TABLE tasks ADD COLUMN sources_done BIGINT NOT NULL DEFAULT 0;

ALTER TABLE tasks ADD COLUMN permanent BIGINT NOT NULL DEFAULT 0;
