/** Lists what a key reaches, as a command that works as it stands: in quotes that every shell takes. */
export function curlLine(origin: string, secret: string, folder: string | null): string {
  const path = encodeURIComponent(folder ?? "").replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `curl -H "X-API-Key: ${secret}" "${origin}/api/v2/files?path=${path}"`;
}
