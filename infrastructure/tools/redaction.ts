/** Replaces secrets in a text. */
export type Redact = (text: string) => string;

const REDACTED = "[redacted]";
/** An encoded form of a shorter secret would match by chance. */
const SHORTEST_ENCODED = 6;

/**
 * Every secret in the forms in which the other side may send it back: plain, percent-encoded, as JSON, in
 * base64 (also inside other text) and in hex.
 */
export function redaction(secrets: Iterable<string>): Redact {
  const forms = new Set([...secrets].filter((secret) => secret !== "").flatMap(formsOf));
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  return (text) => longestFirst.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
}

function formsOf(secret: string): readonly string[] {
  if (secret.length < SHORTEST_ENCODED) return [secret];
  const bytes = Buffer.from(secret);
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = [encodeURIComponent(secret), strictPercent(secret), encodeURI(secret), form(secret)];
  const twice = percent.map((text) => encodeURIComponent(text));
  return [
    secret,
    json,
    json.replaceAll("/", "\\/"),
    ...[...percent, ...twice].flatMap((text) => [text, withLowerHex(text)]),
    ...[0, 1, 2].flatMap((offset) => withinBase64(bytes, offset)),
    bytes.toString("base64"),
    bytes.toString("hex"),
    bytes.toString("hex").toUpperCase(),
  ];
}

function strictPercent(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*~._-]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function form(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice("x=".length);
}

function withLowerHex(text: string): string {
  return text.replaceAll(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase());
}

/** The base64 characters that depend on the secret alone, for each offset in the encoded bytes. */
function withinBase64(bytes: Buffer, offset: number): readonly string[] {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString("base64");
  const whole = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
  return [whole, whole.replaceAll("+", "-").replaceAll("/", "_")];
}
