/** The rules of `npm run webhook:verify`, for a browser: nothing is sent. */

export type RawRequest = { readonly headers: ReadonlyMap<string, string>; readonly body: Bytes };
type Bytes = Uint8Array<ArrayBuffer>;

export type Verdict = "valid" | "header_missing" | "clock_off" | "body_changed" | "wrong_secret";

/** One check and its result, to be put into words. */
export type Finding =
  | { readonly what: "valid_by"; readonly header: string }
  | { readonly what: "standard"; readonly fits: boolean }
  | { readonly what: "header_missing"; readonly headers: readonly string[] }
  | { readonly what: "timestamp_unreadable"; readonly text: string }
  | { readonly what: "clock_off"; readonly seconds: number }
  | { readonly what: "line_break_added" | "written_again" | "not_compact" }
  | { readonly what: "length"; readonly announced: number; readonly bytes: number }
  | { readonly what: "secret_spaces" | "secret_prefix" | "wrong_secret" };

/** `verdict`: the first rule that fails; `findings`: every one. */
export type Judgement = { readonly verdict: Verdict; readonly findings: readonly Finding[] };

const TOLERANCE_MS = 300_000;
const PREFIX = "whsec_";
const SIGNATURE = "X-Service-Signature";
const NEXT = "X-Service-Signature-Next";
const TIMESTAMP = "X-Service-Timestamp";
const utf8 = (text: string): Bytes => new TextEncoder().encode(text);

/**
 * A captured request: an optional request line, headers, an empty line, the body. A text box converts
 * the body's line breaks to LF; a body from this service has none. null: no empty line, or a header
 * line without a colon.
 */
export function parseRequest(text: string): RawRequest | null {
  const split = /\r?\n\r?\n/.exec(text);
  if (split === null) return null;
  const lines = text.slice(0, split.index).split(/\r?\n/);
  const fields = /^[A-Z]+ \S+( HTTP\/\S+)?$/.test(lines[0] ?? "") ? lines.slice(1) : lines;
  const headers = new Map<string, string>();
  for (const line of fields.filter((field) => field !== "")) {
    const colon = line.indexOf(":");
    if (colon < 1) return null;
    headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body: utf8(text.slice(split.index + split[0].length)) };
}

export async function judgeRequest(secret: string, request: RawRequest, now: number): Promise<Judgement> {
  const missing = [SIGNATURE, TIMESTAMP].filter((name) => header(request, name) === "");
  if (missing.length > 0)
    return { verdict: "header_missing", findings: [{ what: "header_missing", headers: missing }] };
  const clock = judgeClock(header(request, TIMESTAMP), now);
  const body = await judgeBody(secret, request);
  if (clock !== null)
    return { verdict: "clock_off", findings: [clock, ...(body === null ? [] : [body.finding])] };
  if (body !== null) return { verdict: body.verdict, findings: [body.finding] };
  return { verdict: "valid", findings: await validBy(secret, request) };
}

/** `sha256=` and the hex HMAC of `timestamp.body`; the key is the whole secret as shown. */
export async function signatureOf(secret: string, timestamp: string, body: Bytes): Promise<string> {
  const digest = await hmac(utf8(secret), joined(utf8(`${timestamp}.`), body));
  return `sha256=${Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

async function hmac(key: Bytes, message: Bytes): Promise<Bytes> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

function joined(left: Bytes, right: Bytes): Bytes {
  const whole = new Uint8Array(left.length + right.length);
  whole.set(left);
  whole.set(right, left.length);
  return whole;
}

function header({ headers }: RawRequest, name: string): string {
  return headers.get(name.toLowerCase()) ?? "";
}

function judgeClock(timestamp: string, now: number): Finding | null {
  if (!/^\d+$/.test(timestamp)) return { what: "timestamp_unreadable", text: timestamp };
  const off = now - Number(timestamp);
  return Math.abs(off) <= TOLERANCE_MS ? null : { what: "clock_off", seconds: Math.round(off / 1000) };
}

type BodyProblem = { readonly verdict: Verdict; readonly finding: Finding };

async function judgeBody(secret: string, request: RawRequest): Promise<BodyProblem | null> {
  const { body } = request;
  if (await fits(secret, request, body)) return null;
  const changed = (finding: Finding): BodyProblem => ({ verdict: "body_changed", finding });
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  const compact = compactOf(text);
  if (await fits(secret, request, withoutLineBreaks(body))) return changed({ what: "line_break_added" });
  if (compact !== null && (await fits(secret, request, utf8(compact))))
    return changed({ what: "written_again" });
  const announced = header(request, "Content-Length");
  if (/^\d+$/.test(announced) && Number(announced) !== body.length)
    return changed({ what: "length", announced: Number(announced), bytes: body.length });
  if (compact !== text) return changed({ what: "not_compact" });
  const wrong = (finding: Finding): BodyProblem => ({ verdict: "wrong_secret", finding });
  if (await fits(secret.trim(), request, body)) return wrong({ what: "secret_spaces" });
  if (await fits(PREFIX + secret, request, body)) return wrong({ what: "secret_prefix" });
  return wrong({ what: "wrong_secret" });
}

async function fits(secret: string, request: RawRequest, body: Bytes): Promise<boolean> {
  // An empty key cannot be imported, and no secret is empty.
  if (secret === "") return false;
  const expected = await signatureOf(secret, header(request, TIMESTAMP), body);
  return header(request, SIGNATURE) === expected || header(request, NEXT) === expected;
}

function withoutLineBreaks(body: Bytes): Bytes {
  const isBreak = (byte: number | undefined) => byte === 10 || byte === 13;
  let end = body.length;
  while (end > 0 && isBreak(body[end - 1])) end -= 1;
  return body.slice(0, end);
}

function compactOf(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
}

async function validBy(secret: string, request: RawRequest): Promise<readonly Finding[]> {
  const expected = await signatureOf(secret, header(request, TIMESTAMP), request.body);
  const by: Finding = {
    what: "valid_by",
    header: header(request, SIGNATURE) === expected ? SIGNATURE : NEXT,
  };
  const standard = await judgeStandard(secret, request);
  return standard === null ? [by] : [by, standard];
}

/** Standard Webhooks, if its three headers were sent. */
async function judgeStandard(secret: string, request: RawRequest): Promise<Finding | null> {
  const id = header(request, "webhook-id");
  const seconds = header(request, "webhook-timestamp");
  const signatures = header(request, "webhook-signature");
  const key = bytesOfBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  if (id === "" || seconds === "" || signatures === "" || key === null) return null;
  const digest = await hmac(key, joined(utf8(`${id}.${seconds}.`), request.body));
  const expected = `v1,${btoa(String.fromCharCode(...digest))}`;
  return { what: "standard", fits: signatures.split(" ").includes(expected) };
}

function bytesOfBase64(text: string): Bytes | null {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return bytes.length === 0 ? null : bytes;
  } catch {
    return null;
  }
}
