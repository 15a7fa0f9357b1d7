import type { LookupFunction } from "node:net";
import { judgeAnswers } from "./address-guard.ts";
import { AddressNotAllowed, type ConnectorDeps, pinnedLookup } from "./pinned-connector.ts";

/** For what connects by itself (a WebSocket): a name leads to allowed addresses only, whatever it led to before. Nobody asks it for a literal address. */
export function guardedLookup(
  { policy, resolve }: Pick<ConnectorDeps, "policy" | "resolve">,
  protocol: "http:" | "https:",
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (!judgeAnswers(policy, protocol, addresses))
          return callback(new AddressNotAllowed("the name has an address that is not allowed"), "", 0);
        const families = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
        return pinnedLookup(families)(hostname, options, callback);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), "", 0),
    );
  };
}
