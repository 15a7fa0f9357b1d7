import { z } from "zod";
import { count, KIB, longText, wholeNumber } from "./fields.ts";

const URL_TEXT = "https address that is asked before each dial, with a signed POST";
const TIMEOUT = "Milliseconds within which it must answer";
const DEFAULT_TIMEOUT_MILLIS = 2_000;

/** As it is given, in a policy and for a campaign. */
export const eligibilityCheck = z.strictObject({
  url: longText(2 * KIB).describe(URL_TEXT),
  timeoutMs: wholeNumber(500, 5_000)
    .default(DEFAULT_TIMEOUT_MILLIS)
    .describe(`${TIMEOUT}; left out: ${DEFAULT_TIMEOUT_MILLIS}`),
});

/** As records show it. */
export const shownEligibilityCheck = z.object({
  url: z.string().describe(URL_TEXT),
  timeoutMs: count.describe(TIMEOUT),
});
