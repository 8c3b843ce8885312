/** Lists what a key reaches, as a command that works as it stands. A key's paths begin at the folder it is limited to. */
export function curlLine(origin: string, secret: string): string {
  return `curl -H "X-API-Key: ${secret}" "${origin}/api/v2/files"`;
}
