export type RawRequest = { readonly headers: ReadonlyMap<string, string>; readonly body: Buffer };

/**
 * Parses a captured HTTP request: an optional request line, headers, an empty line, and the body
 * byte for byte. Lines of the head may end in CRLF or LF. Names in lower case; of a repeated header
 * the last one counts.
 * @throws Error when there is no empty line, or a header line without a colon
 */
export function parseRawRequest(file: Buffer): RawRequest {
  const split = endOfHead(file);
  if (split === null) throw new Error("no empty line between headers and body");
  const lines = file.subarray(0, split.head).toString("latin1").split(/\r?\n/);
  const first = lines[0];
  const fields = first !== undefined && /^[A-Z]+ \S+( HTTP\/\S+)?$/.test(first) ? lines.slice(1) : lines;
  const headers = new Map<string, string>();
  for (const line of fields.filter((field) => field !== "")) {
    const colon = line.indexOf(":");
    if (colon < 1) throw new Error(`"${line.slice(0, 40)}" is not a header line`);
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body: file.subarray(split.body) };
}

function endOfHead(file: Buffer): { head: number; body: number } | null {
  const ends = [
    { at: file.indexOf("\r\n\r\n"), length: 4 },
    { at: file.indexOf("\n\n"), length: 2 },
  ].filter((end) => end.at >= 0);
  const first = ends.toSorted((a, b) => a.at - b.at)[0];
  return first === undefined ? null : { head: first.at, body: first.at + first.length };
}
