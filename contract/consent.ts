import { z } from "zod";
import { neverCounts } from "../domain/policy/consent.ts";
import type { Consent } from "../domain/policy/policy.ts";
import { type DeepReadonly, instant, instantInput, label } from "./fields.ts";

/** In a contact and in a single call. */
export const CONSENT = "That the person agreed to be called; left out or null: nothing is known of it";

const SOURCE = "Where or how the person agreed, in your words";
const AT = "When; ISO 8601";
const EXPIRES_AT = "From then on it counts as none; ISO 8601; null: it stays";
const REFERENCE = "Your own mark of the proof; null: none";

/** That `at` is not in the future is judged where there is a clock. */
export const consentInput = z
  .strictObject({
    source: label.describe(SOURCE),
    at: instantInput.describe(`${AT} with offset, not in the future`),
    expiresAt: instantInput.nullish().describe(EXPIRES_AT),
    reference: label.nullish().describe(REFERENCE),
  })
  .meta({ id: "ConsentRequest" })
  .transform(
    ({ expiresAt, reference, ...consent }): Consent => ({
      ...consent,
      ...(expiresAt == null ? {} : { expiresAt }),
      ...(reference == null ? {} : { reference }),
    }),
  )
  .refine((consent) => !neverCounts(consent), { path: ["expiresAt"], message: "Must be later than at" });

const consentRecord = z
  .object({
    source: z.string().nullable().describe(`${SOURCE}; null: erased`),
    at: instant.describe(`${AT}, UTC`),
    expiresAt: instant.nullable().describe(EXPIRES_AT),
    reference: z.string().nullable().describe(REFERENCE),
  })
  .meta({ id: "Consent" });
export const consentOrNull = consentRecord.nullable();
export type ConsentRecord = DeepReadonly<z.infer<typeof consentRecord>>;
