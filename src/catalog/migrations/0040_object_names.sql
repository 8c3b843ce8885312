-- The names of own files whose contents lie in a store of objects, and those contents (storage/names.h).
CREATE TABLE trees (
  id BIGINT NOT NULL PRIMARY KEY,
  home TEXT NOT NULL UNIQUE,
  created_at BIGINT NOT NULL
);

-- One row: the first id that no folder, file or content has had.
CREATE TABLE node_ids (
  next_id BIGINT NOT NULL
);

INSERT INTO node_ids (next_id) VALUES (1);

-- `bytes` is the content as hexadecimal digits behind '\x', if it is small; NULL if it is in segments.
CREATE TABLE contents (
  id BIGINT NOT NULL PRIMARY KEY,
  size_bytes BIGINT NOT NULL,
  bytes TEXT
);

-- Files and folders. What is directly in a tree has its negative id as `parent`; a folder has no content; `folded` is the name as
-- a search compares it. Those that are being removed have the parent 0, and their id as their name.
CREATE TABLE nodes (
  id BIGINT NOT NULL PRIMARY KEY,
  tree BIGINT NOT NULL,
  parent BIGINT NOT NULL,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  is_hidden BIGINT NOT NULL,
  content BIGINT REFERENCES contents (id),
  size_bytes BIGINT NOT NULL,
  created_at BIGINT NOT NULL,
  modified_at BIGINT NOT NULL
);

CREATE UNIQUE INDEX nodes_by_name ON nodes (parent, name);

CREATE INDEX nodes_by_content ON nodes (content) WHERE content IS NOT NULL;

-- All objects that may be in the store. `state` is 0 if a content may get it, 1 if one has it, 2 if it is garbage; `run` is the run
-- of the server that drew it.
CREATE TABLE objects (
  id TEXT NOT NULL PRIMARY KEY,
  run TEXT NOT NULL,
  state BIGINT NOT NULL,
  changed_at BIGINT NOT NULL
);

CREATE INDEX objects_to_clear ON objects (changed_at) WHERE state <> 1;

-- `at_byte` is where the segment begins in its object.
CREATE TABLE segments (
  content BIGINT NOT NULL REFERENCES contents (id),
  seq BIGINT NOT NULL,
  object TEXT NOT NULL REFERENCES objects (id),
  at_byte BIGINT NOT NULL,
  size_bytes BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (content, seq)
);

CREATE INDEX segments_by_object ON segments (object);

-- Contents that may have lost their last name.
CREATE TABLE loose (
  content BIGINT NOT NULL PRIMARY KEY
);

-- The nodes that are being removed.
CREATE TABLE doomed (
  node BIGINT NOT NULL PRIMARY KEY
);

-- On PostgreSQL: names compare by their bytes, and what is written in digits is stored in half the space.
ALTER TABLE nodes ALTER name TYPE TEXT COLLATE "C", ALTER folded TYPE TEXT COLLATE "C";

-- On PostgreSQL:
ALTER TABLE contents ALTER bytes TYPE BYTEA USING CAST(bytes AS BYTEA), ALTER bytes SET STORAGE EXTERNAL;

-- On PostgreSQL:
ALTER TABLE segments DROP CONSTRAINT segments_object_fkey, ALTER object TYPE UUID USING CAST(object AS UUID),
  ALTER sha256 TYPE BYTEA USING CAST(sha256 AS BYTEA);

-- On PostgreSQL:
ALTER TABLE objects ALTER id TYPE UUID USING CAST(id AS UUID);

-- On PostgreSQL:
ALTER TABLE segments ADD CONSTRAINT segments_object_fkey FOREIGN KEY (object) REFERENCES objects (id);
