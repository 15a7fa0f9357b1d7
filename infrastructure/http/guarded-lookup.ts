import type { LookupFunction } from "node:net";
import { judgeAnswers } from "./address-guard.ts";
import { AddressNotAllowed, type ConnectorDeps, pinnedLookup } from "./pinned-connector.ts";

/**
 * For clients that connect by themselves (a WebSocket): resolves a name to allowed addresses only, at each
 * connect. It is never called for a literal address.
 */
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
