import webhooks from "twilio/lib/webhooks/webhooks.js";
import type { UpgradeRequest } from "../../../application/ports/entrances.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import type { Metrics } from "../../../application/ports/metrics.ts";
import { webSocketUrl } from "./callback-addresses.ts";

export type FormFields = Readonly<Record<string, string | readonly string[]>>;

export type Signatures = {
  readonly isSigned: (request: UpgradeRequest, fields: FormFields) => boolean;
  readonly isSignedSocket: (request: UpgradeRequest) => boolean;
};

/**
 * Requests without a valid signature are counted, and the first one is explained: usually PUBLIC_URL is not
 * the address that Twilio was given.
 */
export function createSignatures(deps: {
  readonly publicUrl: () => string;
  readonly authToken: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
}): Signatures {
  const { publicUrl, logger, metrics } = deps;
  let explained = false;
  const judge = (base: string, request: UpgradeRequest, fields: FormFields): boolean => {
    if (matches(deps.authToken, base, request, fields)) return true;
    metrics.count("ringfold_carrier_callbacks_refused_total", { carrier: "twilio" });
    if (!explained) {
      explained = true;
      logger.warn({}, explanation({ ...deps, publicUrl: publicUrl() }, request, fields));
    }
    return false;
  };
  return {
    isSigned: (request, fields) => judge(publicUrl(), request, fields),
    isSignedSocket: (request) => judge(webSocketUrl(publicUrl()), request, {}),
  };
}

function matches(
  authToken: string,
  base: string,
  { url, headers }: UpgradeRequest,
  fields: FormFields,
): boolean {
  const signature = headers["x-twilio-signature"];
  if (typeof signature !== "string") return false;
  return webhooks.validateRequest(authToken, signature, `${base}${url}`, { ...fields });
}

/** Signed with our token for another address: that is the one that Twilio calls. */
function explanation(
  { publicUrl, authToken }: { readonly publicUrl: string; readonly authToken: string },
  request: UpgradeRequest,
  fields: FormFields,
): string {
  if (request.headers["x-twilio-signature"] === undefined)
    return "a request to the addresses for Twilio is not signed: it was refused, and others like it will be without a word";
  const host = request.headers["x-forwarded-host"] ?? request.headers["host"];
  const called = ["https", "http", "wss", "ws"]
    .map((scheme) => `${scheme}://${String(host)}`)
    .find((base) => matches(authToken, base, request, fields));
  return called === undefined
    ? `a callback of Twilio is not signed with TWILIO_AUTH_TOKEN over ${publicUrl}: either the token or PUBLIC_URL is wrong; it was refused`
    : `PUBLIC_URL is wrong: Twilio calls ${called}, PUBLIC_URL says ${publicUrl}; its callbacks are refused`;
}
