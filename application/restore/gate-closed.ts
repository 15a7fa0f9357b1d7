/**
 * No command is decided here now, for a reason that only time or an operator ends: the stores were restored,
 * keys of calls are missing, or log and carrier have not answered since the start. The message says which,
 * and what to do; it names no owner and no call.
 */
export class GateClosedError extends Error {
  override readonly name = "GateClosedError";
}
