"""A store of objects for accounts' own files: Ceph's gateway, with a bucket for each catalog."""

import pathlib
import tempfile
import uuid

from drive_servers import PASSWORD, USER, S3Server, rclone


class ObjectStore:
    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="coffer-s3-")
        self.folder = pathlib.Path(self._folder.name)
        self.server = S3Server(self.folder).start()
        self.credentials = self.folder / "credentials"
        self.credentials.write_text(f"{USER}\n{PASSWORD}\n")

    def new_bucket(self):
        """The settings of servers whose own files lie in a bucket of their own."""
        bucket = f"coffer-{uuid.uuid4().hex[:12]}"
        rclone("mkdir", f"there:{bucket}", parameters=self.server.remote())
        return {"home_store": "objects", "objects_endpoint": self.server.url, "objects_bucket": bucket,
                "objects_credentials_file": str(self.credentials)}

    def objects(self, settings):
        """The sizes of all objects in that bucket, by their keys."""
        listed = rclone("lsf", "-R", "--files-only", "--format", "sp", f"there:{settings['objects_bucket']}",
                        parameters=self.server.remote()).decode()
        return {key: int(size) for size, _, key in (line.partition(";") for line in listed.splitlines())}

    def close(self):
        self.server.close()
        self._folder.cleanup()
