import { z } from "zod";
import { answer, type DeepReadonly, idOf, instant, userId } from "./fields.ts";
import { routes } from "./route.ts";
import { SCOPES } from "./scopes.ts";

const signInBody = z
  .strictObject({ apiKey: z.string().min(1).max(512).describe("An API key; it is not kept") })
  .meta({ id: "SignIn", examples: [{ apiKey: "va_live_01234567_0123456789abcdefghijABCDEFGHIJ01" }] });

/** The owner of a session and its rights, which are those of its key. */
const session = z
  .object({
    keyId: idOf("key").describe("Id of the API key whose session it is"),
    keyName: z.string().describe("Name of that key"),
    scopes: z.array(z.enum(SCOPES)).describe("What the key may do, and the session with it"),
    owner: z
      .object({ id: userId, name: z.string().describe("Name of the owner") })
      .describe("Whose calls these are"),
    expiresAt: instant.describe(
      "When it ends unless it is used before; 7 days after its beginning at the latest",
    ),
  })
  .meta({
    id: "Session",
    examples: [
      {
        keyId: "key_01k4b2s9h3e8t9v0w1x2y3z4a5",
        keyName: "Dashboard",
        scopes: ["admin"],
        owner: { id: "usr_01k4b2s9h3e8t9v0w1x2y3z4a5", name: "Example" },
        expiresAt: "2026-09-01T22:00:00.000Z",
      },
    ],
  });
export type SessionRecord = DeepReadonly<z.infer<typeof session>>;

const signedOut = z
  .object({ signedOut: z.literal(true).describe("The session is over") })
  .meta({ id: "SignedOut" });

export const sessionRoutes = routes({
  startSession: {
    method: "POST",
    path: "/api/v1/session",
    tag: "sessions",
    summary: "Signs a browser in with an API key",
    description:
      "The answer sets a cookie, which stands for the key in every request without Authorization. Ten failures a minute from one address, and it is asked to wait.",
    ownSession: true,
    body: signInBody,
    answers: { 201: answer(session) },
    errors: ["UNAUTHORIZED", "CROSS_SITE", "RATE_LIMIT_EXCEEDED"],
  },
  getSession: {
    method: "GET",
    path: "/api/v1/session",
    tag: "sessions",
    summary: "Whose session the cookie is",
    description: "A request with Authorization has none: its cookie is not looked at.",
    ownSession: true,
    answers: { 200: answer(session) },
    errors: ["UNAUTHORIZED"],
  },
  endSession: {
    method: "DELETE",
    path: "/api/v1/session",
    tag: "sessions",
    summary: "Signs out; may be repeated",
    ownSession: true,
    answers: { 200: answer(signedOut) },
    errors: ["CROSS_SITE"],
  },
});
