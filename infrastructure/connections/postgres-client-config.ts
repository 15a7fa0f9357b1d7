import net from "node:net";
import { rootCertificates } from "node:tls";
import type pg from "pg";
import type { PostgresSettings } from "../../contract/connection-settings.ts";
import { type AddressPolicy, judgeAnswers, type ResolveName } from "../http/address-guard.ts";
import { AddressNotAllowed } from "../http/pinned-connector.ts";

export type PostgresAccess = {
  readonly policy: AddressPolicy;
  readonly resolve: ResolveName;
  /** A certificate authority beside the known ones. */
  readonly ca?: string;
};

/**
 * Client config for an owner's database. Its address is checked for each connect: the config has the checked
 * address, not the name.
 */
export async function postgresClientConfig(
  { policy, resolve, ca }: PostgresAccess,
  { host, port, database, user, tls }: PostgresSettings,
  password: string,
): Promise<pg.ClientConfig & { readonly host: string }> {
  const addresses = net.isIP(host) === 0 ? await resolve(host) : [host];
  const [address] = addresses;
  if (address === undefined) throw new Error("the name has no address");
  if (!judgeAnswers(policy, schemeLike(tls), addresses)) throw new AddressNotAllowed("not allowed");
  return {
    host: address,
    port,
    database,
    user,
    password,
    application_name: "ringfold",
    // The certificate is checked against the host that the owner named, not the address.
    ssl: tls && {
      minVersion: "TLSv1.2",
      ...(net.isIP(host) === 0 ? { servername: host } : { host }),
      ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
    },
  };
}

/** Without TLS only opened ranges are allowed, as for http. */
export function schemeLike(tls: boolean): "https:" | "http:" {
  return tls ? "https:" : "http:";
}
