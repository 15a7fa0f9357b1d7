import { randomBytes } from "node:crypto";
import { freePort } from "../../infrastructure/postgres/embedded/free-port.ts";

/** More than a drill dials: calls that wait in the fake's queue would be hung up before they ring. */
const CALLS_PER_SECOND = "200";

/**
 * The fake Twilio of one drill and its service, whose address stays the same over all restarts,
 * because callbacks need it.
 */
export async function drillTwilio(faults: string) {
  const account = {
    TWILIO_ACCOUNT_SID: `AC${randomBytes(16).toString("hex")}`,
    TWILIO_AUTH_TOKEN: randomBytes(16).toString("hex"),
  };
  const port = await freePort();
  return {
    account,
    args: ["--as", "twilio", "--calls-per-second", CALLS_PER_SECOND, "--faults", faults],
    serviceEnv: (twilioUrl: string): Readonly<Record<string, string>> => ({
      ...account,
      CARRIER: "twilio",
      TWILIO_API_URL: twilioUrl,
      TWILIO_CALLS_PER_SECOND: CALLS_PER_SECOND,
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    }),
  };
}
