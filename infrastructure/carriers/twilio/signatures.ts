import webhooks from "twilio/lib/webhooks/webhooks.js";
import type { CarrierRequest, UpgradeRequest } from "../../../application/ports/entrances.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import type { Metrics } from "../../../application/ports/metrics.ts";
import { webSocketUrl } from "./callback-addresses.ts";

const SIGNATURE = "x-twilio-signature";
const AMPERSAND = "&".charCodeAt(0);

export type FormFields = Readonly<Record<string, string | readonly string[]>>;

/** What a form can be that Twilio signs: it sends about 30 fields. */
export const MOST_FIELDS = 100;

export type Signatures = {
  /** `fields` null: the form is none that Twilio sends. */
  readonly isSigned: (request: UpgradeRequest, fields: FormFields | null) => fields is FormFields;
  readonly isSignedSocket: (request: UpgradeRequest) => boolean;
};

/** Whether it says that Twilio signed it. Nothing is done for a request that does not. */
export function isClaimed({ headers }: UpgradeRequest): boolean {
  return typeof headers[SIGNATURE] === "string";
}

/**
 * The fields of a form, read only when its request claims to be signed; null: more than Twilio sends. A
 * repeated field keeps all its values, because all were signed.
 */
export function signedFields(request: CarrierRequest): FormFields | null {
  if (!isClaimed(request)) return {};
  if (hasMoreFields(request.rawBody)) return null;
  const fields: Record<string, string | string[]> = Object.create(null);
  const form = new URLSearchParams(Buffer.from(request.rawBody).toString("utf8"));
  for (const name of form.keys()) {
    const values = form.getAll(name);
    fields[name] = values.length === 1 ? (values[0] ?? "") : values;
  }
  return fields;
}

function hasMoreFields(body: Uint8Array): boolean {
  let fields = 1;
  for (let at = body.indexOf(AMPERSAND); at !== -1 && fields <= MOST_FIELDS; fields += 1)
    at = body.indexOf(AMPERSAND, at + 1);
  return fields > MOST_FIELDS;
}

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
  const judge = (base: string, request: UpgradeRequest, fields: FormFields | null): boolean => {
    if (fields !== null && matches(deps.authToken, base, request, fields)) return true;
    metrics.count("ringfold_carrier_callbacks_refused_total", { carrier: "twilio" });
    if (!explained && fields !== null) {
      explained = true;
      logger.warn({}, explanation({ ...deps, publicUrl: publicUrl() }, request, fields));
    }
    return false;
  };
  return {
    isSigned: (request, fields): fields is FormFields => judge(publicUrl(), request, fields),
    isSignedSocket: (request) => judge(webSocketUrl(publicUrl()), request, {}),
  };
}

function matches(
  authToken: string,
  base: string,
  { url, headers }: UpgradeRequest,
  fields: FormFields,
): boolean {
  const signature = headers[SIGNATURE];
  const address = `${base}${url}`;
  // The library throws at a host that is none.
  if (typeof signature !== "string" || !URL.canParse(address)) return false;
  return webhooks.validateRequest(authToken, signature, address, { ...fields });
}

/** Signed with our token for another address: that is the one that Twilio calls. */
function explanation(
  { publicUrl, authToken }: { readonly publicUrl: string; readonly authToken: string },
  request: UpgradeRequest,
  fields: FormFields,
): string {
  if (!isClaimed(request))
    return "a request to the addresses for Twilio is not signed: it was refused, and others like it will be without a word";
  const host = request.headers["x-forwarded-host"] ?? request.headers["host"];
  const called = ["https", "http", "wss", "ws"]
    .map((scheme) => `${scheme}://${String(host)}`)
    .find((base) => matches(authToken, base, request, fields));
  return called === undefined
    ? `a callback of Twilio is not signed with TWILIO_AUTH_TOKEN over ${publicUrl}: either the token or PUBLIC_URL is wrong; it was refused`
    : `PUBLIC_URL is wrong: Twilio calls ${called}, PUBLIC_URL says ${publicUrl}; its callbacks are refused`;
}
