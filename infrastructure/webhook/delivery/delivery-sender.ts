import type { DeliveryId } from "../../../domain/shared/ids.ts";
import { outcomeOf } from "../../../domain/webhook/attempt-outcome.ts";
import { breakerState } from "../../../domain/webhook/breaker.ts";
import { type AttemptVerdict, afterAttempt } from "../../../domain/webhook/endpoint-health.ts";
import { type SentAttempt, sendAttempt } from "./attempt.ts";
import { attemptRecord } from "./attempt-record.ts";
import type { AttemptRecorder } from "./attempt-recorder.ts";
import type { DeliveryLoopDeps } from "./delivery-loop-deps.ts";
import type { ClaimedDelivery, HealthRecord } from "./delivery-store.ts";
import { type EndpointRun, type PlaceCounter, smoothAttemptMs } from "./endpoint-run.ts";

/** Longer than this, and an endpoint counts as slow. */
const SLOW_MS = 1_000;

/** A recorded start is sent within this time or taken back: with the total deadline it stays below the 20 s after which it counts as unknown. */
const LONGEST_QUEUED_MS = 3_000;

/** A success is written to the endpoint's row at most this often. */
const HEALTH_EVERY_MS = 10_000;

export type DeliverySender = {
  /** Sends on a place that was taken for it. */
  send(run: EndpointRun, delivery: ClaimedDelivery): void;
  /** Waits for a place. */
  enqueue(run: EndpointRun, deliveries: readonly ClaimedDelivery[]): void;
  /** Everything started by this process whose end is not recorded. */
  underWay(): DeliveryId[];
  /** Its end is recorded. */
  forget(id: DeliveryId): void;
  /** Takes back the starts that wait for a place. */
  takeBack(run: EndpointRun): void;
  /** Endpoints with an attempt under way for more than a second lose their good standing; starts that waited too long are taken back. */
  check(runs: Iterable<EndpointRun>): void;
  /** Takes back what was not sent, and waits for the rest; what ends after `drainMs` is not recorded any more. */
  drain(runs: readonly EndpointRun[], drainMs: number): Promise<void>;
};

type UnderWay = {
  readonly run: EndpointRun;
  readonly startedAt: number;
  /** Of the settings that it is sent with. */
  readonly version: number;
  sending: boolean;
};

export function deliverySender(
  deps: DeliveryLoopDeps,
  counter: PlaceCounter,
  recorder: AttemptRecorder,
  onPlaceFree: () => void,
): DeliverySender {
  const underWay = new Map<DeliveryId, UnderWay>();
  /** Endpoints whose queue waits because all places are taken, the longest waiting first. */
  const waiting = new Set<EndpointRun>();
  const drained = new AbortController();
  let draining = false;
  let abandoned = false;
  const isAnySending = (): boolean => [...underWay.values()].some((entry) => entry.sending);

  const send = (run: EndpointRun, delivery: ClaimedDelivery): void => {
    const { version } = run.endpoint;
    const entry = { run, startedAt: deps.clock.monotonicMillis(), version, sending: true };
    underWay.set(delivery.id, entry);
    const startedAtMs = deps.clock.nowMillis();
    const { url, secrets } = run.endpoint;
    const attempt = {
      url,
      secrets,
      eventId: delivery.eventId,
      deliveryId: delivery.id,
      number: delivery.attempt,
    };
    sendAttempt(deps.client, { ...attempt, body: delivery.body }, startedAtMs).then(
      (sent) => {
        entry.sending = false;
        if (!abandoned) finish(entry, delivery, sent, startedAtMs);
        release(run);
      },
      (error: unknown) => {
        // Left as started: it is sent again as unknown.
        deps.logger.error({ err: error, deliveryId: delivery.id }, "a webhook attempt broke down");
        underWay.delete(delivery.id);
        release(run);
      },
    );
  };

  function release(run: EndpointRun): void {
    counter.free(run);
    const [longest] = waiting;
    if (longest !== undefined) sendQueued(longest);
    sendQueued(run);
    onPlaceFree();
    if (draining && !isAnySending()) drained.abort();
  }

  function sendQueued(run: EndpointRun): void {
    while (run.queue.length > 0 && mayGoOn(run) && counter.take(run)) {
      const next = run.queue.shift();
      if (next !== undefined) send(run, next.delivery);
    }
    if (run.queue.length > 0 && run.placed === 0) waiting.add(run);
    else waiting.delete(run);
  }

  function mayGoOn(run: EndpointRun): boolean {
    return run.inUse && breakerState(run.health.breaker, deps.clock.nowMillis()) === "closed";
  }

  function finish(entry: UnderWay, delivery: ClaimedDelivery, sent: SentAttempt, startedAtMs: number): void {
    const { run } = entry;
    const endedAtMs = deps.clock.nowMillis();
    const tookMs = deps.clock.monotonicMillis() - entry.startedAt;
    smoothAttemptMs(run, tookMs);
    const outcome = outcomeOf(sent.result, endedAtMs);
    const verdict = afterAttempt(delivery, run.health, outcome, endedAtMs, deps.random());
    const record = attemptRecord(delivery, sent, outcome, verdict, { startedAtMs, endedAtMs });
    const sameSettings = entry.version === run.endpoint.version;
    recorder.add(record, sameSettings ? judge(run, verdict, tookMs, endedAtMs) : null);
    tell(delivery, outcome.class, outcome.status, tookMs, verdict);
  }

  /** What the attempt means for its endpoint; not asked for when the settings have changed since it began. */
  function judge(
    run: EndpointRun,
    verdict: AttemptVerdict,
    tookMs: number,
    nowMs: number,
  ): HealthRecord | null {
    const proven = verdict.status === "delivered" && tookMs <= SLOW_MS;
    const record = healthRecord(run, verdict, proven, nowMs);
    counter.move(run, proven ? "good" : "slow");
    run.health = verdict.health;
    if (verdict.retire !== null) run.inUse = false;
    if (!proven || !mayGoOn(run)) void giveBack(run);
    return record;
  }

  function tell(
    delivery: ClaimedDelivery,
    outcome: string,
    status: number | null,
    tookMs: number,
    verdict: AttemptVerdict,
  ): void {
    deps.metrics.count("ringfold_webhook_attempts_total", { class: outcome });
    deps.metrics.observe("ringfold_webhook_attempt_duration_seconds", tookMs / 1000, {});
    const { owner, id: deliveryId, eventId, attempt } = delivery;
    deps.logger.debug({ owner, deliveryId, eventId, attempt, outcome, status, tookMs }, "webhook attempt");
    if (verdict.retire !== null)
      deps.logger.warn({ owner, reason: verdict.retire }, "webhook endpoint went out of use");
  }

  async function giveBack(run: EndpointRun, before = Number.POSITIVE_INFINITY): Promise<void> {
    const late = run.queue.filter((queued) => queued.claimedAt < before).map((queued) => queued.delivery);
    if (late.length === 0) return;
    const rest = run.queue.filter((queued) => queued.claimedAt >= before);
    run.queue.splice(0, run.queue.length, ...rest);
    if (rest.length === 0) waiting.delete(run);
    try {
      await deps.store.giveBack(late);
      run.hot = true;
    } catch (error) {
      // They stay recorded as started: recovery finds them as unknown.
      deps.logger.warn({ err: error, count: late.length }, "webhook starts could not be taken back");
    }
    for (const delivery of late) underWay.delete(delivery.id);
  }

  return {
    send,
    enqueue(run, deliveries) {
      const claimedAt = deps.clock.monotonicMillis();
      for (const delivery of deliveries) {
        underWay.set(delivery.id, {
          run,
          startedAt: claimedAt,
          version: run.endpoint.version,
          sending: false,
        });
        run.queue.push({ delivery, claimedAt });
      }
      sendQueued(run);
    },
    underWay: () => [...underWay.keys()],
    forget: (id) => underWay.delete(id),
    takeBack: (run) => void giveBack(run),
    check(runs) {
      const now = deps.clock.monotonicMillis();
      for (const { run, startedAt, sending } of underWay.values()) {
        if (sending && run.standing !== "slow" && now - startedAt > SLOW_MS) counter.move(run, "slow");
      }
      for (const run of runs) {
        void giveBack(run, run.standing === "slow" ? undefined : now - LONGEST_QUEUED_MS);
      }
    },
    async drain(runs, drainMs) {
      draining = true;
      await Promise.all(runs.map((run) => giveBack(run)));
      if (isAnySending()) await deps.clock.sleep(drainMs, drained.signal);
      abandoned = true;
    },
  };
}

/** null: nothing that anybody would miss after a restart. */
function healthRecord(
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
