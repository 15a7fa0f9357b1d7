import type { AttemptVerdict } from "../../../domain/webhook/endpoint-health.ts";
import type { HealthRecord } from "./delivery-store.ts";
import type { EndpointRun } from "./endpoint-run.ts";

/** A success is written to the endpoint's row at most this often. */
const HEALTH_EVERY_MS = 10_000;

/** The change of the endpoint's row after an attempt; null: nothing that matters after a restart. */
export function healthRecord(
  run: EndpointRun,
  verdict: AttemptVerdict,
  proven: boolean,
  nowMs: number,
): HealthRecord | null {
  const before = run.health;
  const { health, retire } = verdict;
  const sameBreaker =
    before.breaker.failures === health.breaker.failures &&
    before.breaker.openUntilMs === health.breaker.openUntilMs;
  const quiet =
    sameBreaker && before.exhausted === health.exhausted && retire === null && run.recordedProven === proven;
  if (quiet && nowMs - run.recordedAtMs < HEALTH_EVERY_MS) return null;
  run.recordedAtMs = nowMs;
  run.recordedProven = proven;
  return { owner: run.owner, version: run.endpoint.version, health, proven, retire, atMs: nowMs };
}
