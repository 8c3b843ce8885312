-- Kind: adding
-- `turn` counts the requests that have worked on the upload, where several servers use the catalog. `content` is the content that
-- was published of its segments; 0 if none was.
ALTER TABLE uploads ADD COLUMN turn BIGINT NOT NULL DEFAULT 0;
ALTER TABLE uploads ADD COLUMN content BIGINT NOT NULL DEFAULT 0;

-- The parts of unfinished uploads whose bytes lie in a store of objects. Their objects have the state 1. `at_byte` is where the
-- part begins in the upload.
CREATE TABLE upload_segments (
  upload TEXT NOT NULL,
  at_byte BIGINT NOT NULL,
  size_bytes BIGINT NOT NULL,
  object TEXT NOT NULL UNIQUE,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (upload, at_byte)
);

-- On PostgreSQL:
ALTER TABLE upload_segments ALTER object TYPE UUID USING CAST(object AS UUID), ALTER sha256 TYPE BYTEA USING CAST(sha256 AS BYTEA);

-- On PostgreSQL:
ALTER TABLE upload_segments ADD CONSTRAINT upload_segments_object_fkey FOREIGN KEY (object) REFERENCES objects (id);
