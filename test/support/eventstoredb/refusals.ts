import type { ServiceError } from "@grpc/grpc-js";
import * as errors from "./errors.ts";
import type { AppendFault, ReadFault } from "./faults.ts";

/**
 * The refusal that an injected fault asks for, given before anything is done; undefined when it
 * asks for something else.
 */
export function refusalBefore(
  fault: AppendFault | ReadFault | undefined,
  port: number,
): ServiceError | undefined {
  switch (fault) {
    case "unavailable":
      return errors.unavailable();
    case "not_ready":
      return errors.notReady();
    case "too_busy":
      return errors.tooBusy();
    case "cancelled":
      return errors.cancelledByServer();
    case "too_large":
      return errors.appendTooLarge();
    case "unknown":
      return errors.thrownByHandler();
    case "not_leader":
      return errors.notLeader(port);
    default:
      return undefined;
  }
}
