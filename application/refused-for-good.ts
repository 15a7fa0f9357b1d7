import { DomainError } from "../domain/shared/errors.ts";
import { DamagedStreamError } from "./log/folded-stream.ts";
import { EventStoreError } from "./ports/event-store.ts";
import { SubjectKeyError } from "./ports/subject-keys.ts";

/**
 * Whether the same work fails with this error again, whenever it is tried: a rule forbids it, the log refuses
 * it, its stream is deleted or cannot be read. Retries then end; every other failure is transient.
 */
export function isRefusedForGood(error: unknown): boolean {
  if (error instanceof DomainError || error instanceof DamagedStreamError) return true;
  if (error instanceof SubjectKeyError) return true;
  // a calculation that makes no progress fails again with the same values
  if (error instanceof RangeError) return true;
  return error instanceof EventStoreError && (isRefusedPayload(error) || error.failure.kind === "deleted");
}

/** The log refuses such an event, so nothing of the append is stored. */
export function isRefusedPayload(error: unknown): boolean {
  if (!(error instanceof EventStoreError)) return false;
  return error.failure.kind === "too_large" || error.failure.kind === "invalid_event";
}
