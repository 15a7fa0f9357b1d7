import { createHmac, timingSafeEqual } from "node:crypto";

export type SeedAnswer = {
  readonly status: 200 | 401;
  readonly body: { received: true } | { error: string };
};

/**
 * A receiver's check, written from the six verification rules of the seed's page alone. It is an oracle: it
 * shares no code with the product. Header names as Node gives them, in lower case.
 */
export function verifyBySeed(
  secret: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  rawBody: Buffer,
  nowMillis: number,
): SeedAnswer {
  const signature = headers["x-service-signature"];
  const timestamp = headers["x-service-timestamp"];
  if (typeof signature !== "string" || typeof timestamp !== "string") return refuse("missing header");
  if (!(Math.abs(nowMillis - Number(timestamp)) <= 300_000)) return refuse("timestamp outside five minutes");
  const hmac = createHmac("sha256", secret);
  hmac.update(Buffer.concat([Buffer.from(`${timestamp}.`), rawBody]));
  const expected = Buffer.from(`sha256=${hmac.digest("hex")}`);
  const received = Buffer.from(signature);
  if (expected.length !== received.length || !timingSafeEqual(expected, received))
    return refuse("wrong signature");
  return { status: 200, body: { received: true } };
}

function refuse(error: string): SeedAnswer {
  return { status: 401, body: { error } };
}
