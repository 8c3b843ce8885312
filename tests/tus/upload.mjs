// Uploads one file with the tus project's own client: node upload.mjs ENDPOINT KEY FILE OPTIONS
// Prints a line of JSON for each request that is sent, and one for the end. OPTIONS is an object for the client; with
// `killAt` this process kills itself once so many bytes are at the server, with `endAt` it ends the upload there.
import { createReadStream, statSync } from "node:fs";
import { Upload } from "tus-js-client";

const [endpoint, key, path, text] = process.argv.slice(2);
const { killAt, endAt, ...options } = JSON.parse(text ?? "{}");
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

const upload = new Upload(createReadStream(path), {
  endpoint,
  headers: { "X-API-Key": key },
  uploadSize: statSync(path).size,
  retryDelays: [],
  chunkSize: 1 << 20,
  ...options,
  onBeforeRequest(request) {
    say({ method: request.getMethod(), offset: request.getHeader("Upload-Offset") ?? null });
  },
  onUploadUrlAvailable() {
    say({ url: upload.url });
  },
  async onChunkComplete(_size, accepted) {
    if (killAt !== undefined && accepted >= killAt) process.kill(process.pid, "SIGKILL");
    if (endAt !== undefined && accepted >= endAt) {
      await upload.abort(true);
      say({ end: "terminated" });
      process.exit(0);
    }
  },
  onError(error) {
    say({ end: "failed", status: error.originalResponse?.getStatus() ?? null, body: error.originalResponse?.getBody() ?? String(error) });
    process.exitCode = 1;
  },
  onSuccess() {
    say({ end: "done" });
  },
});
upload.start();
