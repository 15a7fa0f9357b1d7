import { z } from "zod";
import { idOf, instant } from "../../contract/fields.ts";
import { SCOPES } from "../../contract/scopes.ts";

export const signInBody = z
  .strictObject({ apiKey: z.string().min(1).max(512).describe("An API key; it is not kept") })
  .meta({ id: "SignIn", examples: [{ apiKey: "va_live_01234567_0123456789abcdefghijABCDEFGHIJ01" }] });

export const session = z
  .object({
    keyId: idOf("key").describe("Id of the API key whose session it is"),
    keyName: z.string().describe("Name of that key"),
    scopes: z.array(z.enum(SCOPES)).describe("What the key may do, and the session with it"),
    owner: z
      .object({ id: idOf("usr").describe("Id of the owner"), name: z.string().describe("Name of the owner") })
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

export const signedOut = z
  .object({ signedOut: z.literal(true).describe("The session is over") })
  .meta({ id: "SignedOut" });
