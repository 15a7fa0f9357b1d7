import { DomainError } from "../domain/shared/errors.ts";
import { DamagedStreamError } from "./log/folded-stream.ts";
import { EventStoreError } from "./ports/event-store.ts";
import { SubjectKeyError } from "./ports/subject-keys.ts";

/**
 * Whether the very same work meets this failure again, whenever it is tried: a rule forbids it, the log refuses it, its stream is gone or cannot be
 * read. Who retries gives up then; every other failure goes by.
 */
export function isRefusedForGood(error: unknown): boolean {
  if (error instanceof DomainError || error instanceof DamagedStreamError) return true;
  if (error instanceof SubjectKeyError) return true;
  if (error instanceof RangeError) return true; // a calculation that leads nowhere: the same values lead there again
  return error instanceof EventStoreError && (isRefusedPayload(error) || error.failure.kind === "deleted");
}

/** The log takes no such event, so that nothing of the append stands in it. */
export function isRefusedPayload(error: unknown): boolean {
  if (!(error instanceof EventStoreError)) return false;
  return error.failure.kind === "too_large" || error.failure.kind === "invalid_event";
}
