import type { AttemptVerdict } from "../../../domain/webhook/endpoint-health.ts";
import type { HealthRecord } from "../../ports/delivery-store.ts";
import type { EndpointRun } from "./endpoint-run.ts";

/** A success is written to the endpoint's row at most this often. */
const HEALTH_EVERY_MILLIS = 10_000;

/** The change of the endpoint's row after an attempt; null: nothing that matters after a restart. */
export function healthRecord(
  run: EndpointRun,
  verdict: AttemptVerdict,
  proven: boolean,
  nowMillis: number,
): HealthRecord | null {
  const before = run.health;
  const { health, retire } = verdict;
  const sameBreaker =
    before.breaker.failures === health.breaker.failures &&
    before.breaker.openUntilMillis === health.breaker.openUntilMillis;
  const quiet =
    sameBreaker && before.exhausted === health.exhausted && retire === null && run.recordedProven === proven;
  if (quiet && nowMillis - run.recordedAtMillis < HEALTH_EVERY_MILLIS) return null;
  run.recordedAtMillis = nowMillis;
  run.recordedProven = proven;
  return { owner: run.owner, version: run.endpoint.version, health, proven, retire, atMillis: nowMillis };
}
