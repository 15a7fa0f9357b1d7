import { describe, expect, it } from "vitest";
import { redaction } from "../../../infrastructure/tools/redaction.ts";

/** With marks that each encoding writes in its own way, and letters that base64 writes as + and /. */
const SECRET = "s3cret!'()*~._-/>>>???~~~ é";
const HIDDEN = "[redacted]";
const strict = (text: string) =>
  encodeURIComponent(text).replaceAll(
    /[!'()*~._-]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
const lower = (text: string) => text.replaceAll(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase());

const FORMS: Readonly<Record<string, string>> = {
  plain: SECRET,
  "percent-encoded": encodeURIComponent(SECRET),
  "percent-encoded with every mark": strict(SECRET),
  "percent-encoded in lower case": lower(strict(SECRET)),
  "encoded as an address": encodeURI(SECRET),
  "encoded as a form": new URLSearchParams({ x: SECRET }).toString().slice(2),
  "encoded twice": encodeURIComponent(encodeURIComponent(SECRET)),
  "as JSON": JSON.stringify(SECRET).slice(1, -1),
  "as JSON with escaped slashes": JSON.stringify(SECRET).slice(1, -1).replaceAll("/", "\\/"),
  "in base64": Buffer.from(SECRET).toString("base64"),
  "in hex": Buffer.from(SECRET).toString("hex"),
  "in hex, upper case": Buffer.from(SECRET).toString("hex").toUpperCase(),
};

describe("a secret that a tool's answer sends back", () => {
  const redact = redaction([SECRET]);

  it.each(Object.entries(FORMS))("is hidden %s, and nothing else is", (_, form) => {
    expect(redact(`before ${form} after ${form}`)).toBe(`before ${HIDDEN} after ${HIDDEN}`);
  });

  it.each(["base64", "base64url"] as const)(
    "is hidden in %s inside other text, wherever it begins there",
    (encoding) => {
      for (const before of ["", "x", "xy", "user:"]) {
        const encoded = Buffer.from(`${before}${SECRET}and more`).toString(encoding);
        expect(encoded).toMatch(encoding === "base64" ? /[+/]/ : /[-_]/);
        const shown = redact(encoded);
        expect(shown).toContain(HIDDEN);
        // What is left around it does not tell one whole letter of it.
        expect(Buffer.from(shown.replace(HIDDEN, ""), "base64url").toString("latin1")).not.toContain("s3c");
      }
    },
  );

  it("is hidden whole where it contains another one", () => {
    expect(redaction(["secret", "secret-longer"])("secret-longer secret")).toBe(`${HIDDEN} ${HIDDEN}`);
    expect(redaction(["secret-longer", "secret"])("secret-longer secret")).toBe(`${HIDDEN} ${HIDDEN}`);
  });

  it("is looked for as it is only, when it is so short that an encoded form would be there by chance", () => {
    const hex = Buffer.from("abcde").toString("hex");
    expect(redaction(["abcde"])(`abcde ${hex}`)).toBe(`${HIDDEN} ${hex}`);
    expect(redaction(["abcdef"])(Buffer.from("abcdef").toString("hex"))).toBe(HIDDEN);
  });

  it("that is empty hides nothing", () => {
    expect(redaction([""])("as it was")).toBe("as it was");
    expect(redaction([])("as it was")).toBe("as it was");
  });
});
