import { type AddressPolicy, addressPolicy, type ResolveName } from "../http/address-guard.ts";
import { type FetchLimits, type GuardedFetch, guardedFetch } from "../http/guarded-fetch.ts";
import { resolveName } from "../http/resolve-name.ts";

/** How adapters reach the other side of a connection. */
export type Egress = {
  /** Addresses that owners' connections may use. */
  readonly policy: AddressPolicy;
  /** Addresses of the installation's defaults. */
  readonly anywhere: AddressPolicy;
  readonly resolve: ResolveName;
  readonly ofOwners: GuardedFetch;
  /** The installation's own servers may be anywhere, also on this machine. */
  readonly ofInstallation: GuardedFetch;
  close(): Promise<void>;
};

const LIMITS: FetchLimits = {
  connectMillis: 5_000,
  answerHeaderBytes: 16 * 1024,
  answerBytes: 2 * 1024 * 1024,
  // Kept between two turns of a customer: a new connection would delay the next answer by 100 ms.
  keepAliveMillis: 30_000,
};

const ANYWHERE = ["0.0.0.0/0", "::/0"];

/** `allowCidrs`: ranges that `CONNECTION_ALLOW_CIDRS` opens to every owner. */
export function openEgress(allowCidrs: readonly string[], resolve: ResolveName = resolveName): Egress {
  const policy = addressPolicy(allowCidrs);
  const ofOwners = guardedFetch({ policy, resolve, ca: undefined }, LIMITS);
  const anywhere = addressPolicy(ANYWHERE);
  const ofInstallation = guardedFetch({ policy: anywhere, resolve, ca: undefined }, LIMITS);
  return {
    policy,
    anywhere,
    resolve,
    ofOwners,
    ofInstallation,
    close: async () => {
      await Promise.all([ofOwners.close(), ofInstallation.close()]);
    },
  };
}
