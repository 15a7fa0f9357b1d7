import { timingSafeEqual } from "node:crypto";
import type { RawRequest } from "./raw-request.ts";
import { SECRET_PREFIX, seedSignature, standardSignature } from "./signature.ts";

export type SignatureVerdict = "valid" | "header_missing" | "clock_off" | "body_changed" | "wrong_secret";

/** The first rule that fails, and one line for every rule that fails. */
export type SignatureExplanation = { readonly verdict: SignatureVerdict; readonly message: string };

const TOLERANCE_MILLIS = 300_000;

/**
 * Explains why a receiver refuses a request, by the seed's six rules in their order. A signature alone
 * cannot tell a changed body from a wrong secret, so the body is judged by what is known of it: its
 * announced length, the compact JSON that is always sent, and whether undoing a common change makes
 * the signature match.
 */
export function explainSignature(
  secret: string,
  request: RawRequest,
  nowMillis: number,
): SignatureExplanation {
  const missing = ["X-Service-Signature", "X-Service-Timestamp"].filter(
    (name) => header(request, name) === "",
  );
  if (missing.length > 0)
    return { verdict: "header_missing", message: `missing header: ${missing.join(", ")}` };
  const problems = [explainClock(request, nowMillis), explainBody(secret, request)].filter(
    (problem) => problem !== null,
  );
  const first = problems[0];
  if (first === undefined) return validBy(secret, request);
  return { verdict: first.verdict, message: problems.map((problem) => problem.message).join("; ") };
}

function header(request: RawRequest, name: string): string {
  return request.headers.get(name.toLowerCase()) ?? "";
}

function explainClock(request: RawRequest, nowMillis: number): SignatureExplanation | null {
  const text = header(request, "X-Service-Timestamp");
  if (!/^\d+$/.test(text)) {
    return {
      verdict: "clock_off",
      message: `X-Service-Timestamp is not a decimal number of milliseconds: "${text}"`,
    };
  }
  const off = nowMillis - Number(text);
  if (Math.abs(off) <= TOLERANCE_MILLIS) return null;
  const side = off > 0 ? "ahead of" : "behind";
  const seconds = (Math.abs(off) / 1000).toFixed(1);
  return {
    verdict: "clock_off",
    message: `clock off: this clock is ${seconds} s ${side} the request's timestamp; 300 s are allowed (an old capture can be checked with --now ${text})`,
  };
}

function explainBody(secret: string, request: RawRequest): SignatureExplanation | null {
  if (signatureFits(secret, request, request.body)) return null;
  const change = USUAL_CHANGES.find(({ undo }) =>
    undo(request.body).some((body) => signatureFits(secret, request, body)),
  );
  if (change !== undefined) return { verdict: "body_changed", message: `body changed: ${change.what}` };
  const announced = header(request, "Content-Length");
  if (/^\d+$/.test(announced) && Number(announced) !== request.body.length) {
    const message = `body changed: Content-Length says ${announced} bytes, the body has ${request.body.length}`;
    return { verdict: "body_changed", message };
  }
  if (!isCompactJson(request.body)) {
    return {
      verdict: "body_changed",
      message: "body changed: it is not the compact JSON text that is always sent",
    };
  }
  const spelling = SECRET_SPELLINGS.find(({ spell }) => signatureFits(spell(secret), request, request.body));
  const hint =
    spelling?.hint ??
    "it was not made with this secret (or the body was changed without changing its length)";
  return { verdict: "wrong_secret", message: `wrong secret: ${hint}` };
}

function signatureFits(secret: string, request: RawRequest, body: Uint8Array): boolean {
  const expected = seedSignature(secret, header(request, "X-Service-Timestamp"), body);
  return (
    sameText(header(request, "X-Service-Signature"), expected) ||
    sameText(header(request, "X-Service-Signature-Next"), expected)
  );
}

function sameText(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

const USUAL_CHANGES: readonly { what: string; undo: (body: Buffer) => readonly Buffer[] }[] = [
  {
    what: "a line break was added at its end",
    undo: (body) => [Buffer.from(body.toString("latin1").replace(/[\r\n]+$/, ""), "latin1")],
  },
  {
    what: "it was parsed and written again; the signature is over the raw bytes as received",
    undo: (body) => {
      const value = parseJson(body);
      return value === undefined ? [] : [Buffer.from(JSON.stringify(value))];
    },
  },
];

const SECRET_SPELLINGS: readonly { hint: string; spell: (secret: string) => string }[] = [
  { hint: "remove the spaces around it", spell: (secret) => secret.trim() },
  {
    hint: `the key is the whole text, with "${SECRET_PREFIX}" in front`,
    spell: (secret) => SECRET_PREFIX + secret,
  },
];

function isCompactJson(body: Buffer): boolean {
  const value = parseJson(body);
  return value !== undefined && JSON.stringify(value) === body.toString("utf8");
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function validBy(secret: string, request: RawRequest): SignatureExplanation {
  const timestamp = header(request, "X-Service-Timestamp");
  const seed = sameText(
    header(request, "X-Service-Signature"),
    seedSignature(secret, timestamp, request.body),
  );
  const which = seed ? "X-Service-Signature" : "X-Service-Signature-Next (the new secret of a rotation)";
  return { verdict: "valid", message: `valid by ${which}; ${standardNote(secret, request)}` };
}

function standardNote(secret: string, request: RawRequest): string {
  const [id, seconds, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    header(request, name),
  );
  if (!id || !seconds || !signatures) return "no Standard Webhooks headers";
  const expected = standardSignature(secret, id, seconds, request.body);
  const fits = signatures.split(" ").some((signature) => sameText(signature, expected));
  return fits ? "webhook-signature is valid too" : "webhook-signature is NOT valid";
}
