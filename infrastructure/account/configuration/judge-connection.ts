import { isIPv6 } from "node:net";
import type {
  AddressRefused,
  ConnectionDetails,
} from "../../../application/ports/configuration/connections.ts";
import { type AddressPolicy, judgeUrlAndName, type ResolveName } from "../../http/address-guard.ts";

export type AddressJudgeDeps = { readonly policy: AddressPolicy; readonly resolve: ResolveName };

/** The judgement at save, for a clear answer; every connect judges again. null: it may be saved. */
export async function judgeConnection(
  { policy, resolve }: AddressJudgeDeps,
  { kind, settings }: ConnectionDetails,
): Promise<AddressRefused | null> {
  const url = kind === "model" ? settings.baseUrl : databaseUrl(settings);
  const verdict = await judgeUrlAndName(policy, resolve, url);
  if (verdict.allowed) return null;
  const setting = kind === "model" ? "baseUrl" : "host";
  return { reason: "address_refused", setting, refusal: verdict.reason };
}

/** A database is judged as a web server would be: without TLS it is http, which is for opened ranges only. */
function databaseUrl({ host, port, tls }: { host: string; port: number; tls: boolean }): string {
  return `${tls ? "https" : "http"}://${isIPv6(host) ? `[${host}]` : host}:${port}/`;
}
