import { isIPv6 } from "node:net";
import type {
  AddressRefused,
  ConnectionDetails,
} from "../../../application/ports/configuration/connections.ts";
import {
  type AddressPolicy,
  judgeUrlAndName,
  type ResolveName,
  type UrlRefusal,
} from "../../http/address-guard.ts";

export type AddressJudgeDeps = { readonly policy: AddressPolicy; readonly resolve: ResolveName };

/** The check at save, for a clear answer; every connect checks again. null: it may be saved. */
export async function judgeConnection(
  { policy, resolve }: AddressJudgeDeps,
  details: ConnectionDetails,
): Promise<AddressRefused | null> {
  const url = addressOf(details);
  if (url === null) return null;
  const verdict = await judgeUrlAndName(policy, resolve, url);
  if (verdict.allowed) return null;
  return {
    reason: "address_refused",
    setting: SETTINGS[details.kind](verdict.reason),
    refusal: verdict.reason,
  };
}

/** null: the servers of the kind itself. */
function addressOf({ kind, settings }: ConnectionDetails): string | null {
  if (kind === "postgres") return databaseUrl(settings);
  return kind === "asterisk" ? settings.url : settings.baseUrl;
}

const SETTINGS: Readonly<
  Record<ConnectionDetails["kind"], (refusal: UrlRefusal) => AddressRefused["setting"]>
> = {
  model: () => "baseUrl",
  postgres: databaseSetting,
  twilio: () => "baseUrl",
  asterisk: () => "url",
};

function databaseSetting(refusal: UrlRefusal): AddressRefused["setting"] {
  if (refusal === "scheme_not_allowed") return "tls";
  return refusal === "port_not_allowed" ? "port" : "host";
}

/**
 * A database is checked like a web server: without TLS it counts as http, which is allowed
 * for opened ranges only.
 */
function databaseUrl({ host, port, tls }: { host: string; port: number; tls: boolean }): string {
  return `${tls ? "https" : "http"}://${isIPv6(host) ? `[${host}]` : host}:${port}/`;
}
