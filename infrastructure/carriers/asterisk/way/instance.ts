import { randomBytes } from "node:crypto";
import type { Clock } from "../../../../application/ports/clock.ts";
import type { AriClient } from "../ari/ari-client.ts";
import { readVariable, setVariable } from "../ari/ari-variables.ts";

const NAME = "RF_SINCE";
/** Another worker may set it at the same moment: the last one counts for both. */
const SETTLE_MILLIS = 250;

/**
 * Id of this run of this Asterisk: drawn by the first process and stored in a global variable. So it is gone
 * after a restart, and after a reload that clears such variables. null: it cannot be read.
 */
export async function readInstance(
  ari: Pick<AriClient, "request">,
  clock: Pick<Clock, "now" | "sleep">,
): Promise<string | null> {
  const value = await readVariable(ari, NAME);
  if (value !== "") return value;
  if (!(await setVariable(ari, NAME, `${clock.now()}-${randomBytes(6).toString("hex")}`))) return null;
  await clock.sleep(SETTLE_MILLIS);
  const settled = await readVariable(ari, NAME);
  return settled === "" ? null : settled;
}
