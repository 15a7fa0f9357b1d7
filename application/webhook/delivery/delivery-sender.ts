import type { DeliveryId } from "../../../domain/shared/ids.ts";
import { type AttemptOutcome, outcomeOf } from "../../../domain/webhook/attempt-outcome.ts";
import { breakerState } from "../../../domain/webhook/breaker.ts";
import { type AttemptVerdict, afterAttempt } from "../../../domain/webhook/endpoint-health.ts";
import type { AttemptRecord, ClaimedDelivery, HealthRecord } from "../../ports/delivery-store.ts";
import type { SentAttempt } from "../../ports/webhook-sender.ts";
import type { AttemptRecorder } from "./attempt-recorder.ts";
import type { DeliveryLoopDeps } from "./delivery-loop-deps.ts";
import { type EndpointRun, type PlaceCounter, smoothAttemptMillis } from "./endpoint-run.ts";

/** An endpoint is slow when an attempt takes longer. */
const SLOW_MILLIS = 1_000;

/**
 * A recorded start is sent within this time or taken back: together with the total deadline it stays below
 * the 20 s after which it counts as unknown.
 */
const LONGEST_QUEUED_MILLIS = 3_000;

type UnderWay = {
  readonly run: EndpointRun;
  readonly startedAt: number;
  /** Version of the settings it is sent with. */
  readonly version: number;
  sending: boolean;
};

export type DeliverySenderDeps = DeliveryLoopDeps & {
  readonly counter: PlaceCounter;
  readonly recorder: AttemptRecorder;
  readonly onPlaceFree: () => void;
};

/** Sends recorded starts on free places, and updates the state of their endpoints. */
export class DeliverySender {
  readonly #deps: DeliverySenderDeps;
  readonly #underWay = new Map<DeliveryId, UnderWay>();
  /** Endpoints whose queue waits because all places are taken, the longest waiting first. */
  readonly #waiting = new Set<EndpointRun>();
  readonly #drained = new AbortController();
  #draining = false;
  #abandoned = false;

  constructor(deps: DeliverySenderDeps) {
    this.#deps = deps;
  }

  /** Sends on a place that was reserved for it. */
  send(run: EndpointRun, delivery: ClaimedDelivery): void {
    const { clock, sendAttempt, logger } = this.#deps;
    const { version, url, secrets } = run.endpoint;
    const entry = { run, startedAt: clock.monotonicMillis(), version, sending: true };
    this.#underWay.set(delivery.id, entry);
    const startedAtMillis = clock.nowMillis();
    const { eventId, id: deliveryId, attempt: number, body } = delivery;
    sendAttempt({ url, secrets, eventId, deliveryId, number, body }, startedAtMillis).then(
      (sent) => {
        entry.sending = false;
        if (!this.#abandoned) this.#finish(entry, delivery, sent, startedAtMillis);
        this.#release(run);
      },
      (error: unknown) => {
        // It stays recorded as started, and is sent again as unknown.
        logger.error({ err: error, deliveryId }, "a webhook attempt broke down");
        this.#underWay.delete(deliveryId);
        this.#release(run);
      },
    );
  }

  /** Waits for a place. */
  enqueue(run: EndpointRun, deliveries: readonly ClaimedDelivery[]): void {
    const claimedAt = this.#deps.clock.monotonicMillis();
    const { version } = run.endpoint;
    for (const delivery of deliveries) {
      this.#underWay.set(delivery.id, { run, startedAt: claimedAt, version, sending: false });
      run.queue.push({ delivery, claimedAt });
    }
    this.#sendQueued(run);
  }

  /** Attempts started by this process whose end is not recorded. */
  underWay(): DeliveryId[] {
    return [...this.#underWay.keys()];
  }

  /** Its end is recorded. */
  forget(id: DeliveryId): void {
    this.#underWay.delete(id);
  }

  /** Takes back the starts that wait for a place. */
  takeBack(run: EndpointRun): void {
    void this.#giveBack(run);
  }

  /**
   * Endpoints with an attempt in flight for more than a second become slow; starts that waited too
   * long are taken back.
   */
  check(runs: Iterable<EndpointRun>): void {
    const { clock, counter } = this.#deps;
    const now = clock.monotonicMillis();
    for (const { run, startedAt, sending } of this.#underWay.values()) {
      if (sending && run.standing !== "slow" && now - startedAt > SLOW_MILLIS) counter.move(run, "slow");
    }
    for (const run of runs) {
      void this.#giveBack(run, run.standing === "slow" ? undefined : now - LONGEST_QUEUED_MILLIS);
    }
  }

  /** Takes back what was not sent, and waits for the rest; ends after `drainMillis` are not recorded. */
  async drain(runs: readonly EndpointRun[], drainMillis: number): Promise<void> {
    this.#draining = true;
    await Promise.all(runs.map((run) => this.#giveBack(run)));
    if (this.#isAnySending()) await this.#deps.clock.sleep(drainMillis, this.#drained.signal);
    this.#abandoned = true;
  }

  #isAnySending(): boolean {
    return [...this.#underWay.values()].some((entry) => entry.sending);
  }

  #release(run: EndpointRun): void {
    this.#deps.counter.free(run);
    // One that is out of use meanwhile keeps nobody behind it waiting.
    const next = this.#waiting.values().find((each) => this.#mayGoOn(each));
    if (next !== undefined) this.#sendQueued(next);
    this.#sendQueued(run);
    this.#deps.onPlaceFree();
    if (this.#draining && !this.#isAnySending()) this.#drained.abort();
  }

  #sendQueued(run: EndpointRun): void {
    while (run.queue.length > 0 && this.#mayGoOn(run) && this.#deps.counter.take(run)) {
      const next = run.queue.shift();
      if (next !== undefined) this.send(run, next.delivery);
    }
    if (run.queue.length > 0 && run.placed === 0) this.#waiting.add(run);
    else this.#waiting.delete(run);
  }

  #mayGoOn(run: EndpointRun): boolean {
    return run.inUse && breakerState(run.health.breaker, this.#deps.clock.nowMillis()) === "closed";
  }

  #finish(entry: UnderWay, delivery: ClaimedDelivery, sent: SentAttempt, startedAtMillis: number): void {
    const { clock, recorder, random } = this.#deps;
    const { run } = entry;
    const endedAtMillis = clock.nowMillis();
    const tookMillis = clock.monotonicMillis() - entry.startedAt;
    smoothAttemptMillis(run, tookMillis);
    const outcome = outcomeOf(sent.end, endedAtMillis);
    const verdict = afterAttempt(delivery, run.health, outcome, endedAtMillis, random());
    const record = attemptRecord(delivery, sent, outcome, verdict, { startedAtMillis, endedAtMillis });
    const sameSettings = entry.version === run.endpoint.version;
    recorder.add(record, sameSettings ? this.#judge(run, verdict, tookMillis, endedAtMillis) : null);
    tellAttempt(this.#deps, delivery, outcome, tookMillis, verdict);
  }

  /** Applies the attempt to its endpoint, unless the settings have changed since it began. */
  #judge(
    run: EndpointRun,
    verdict: AttemptVerdict,
    tookMillis: number,
    nowMillis: number,
  ): HealthRecord | null {
    const proven = verdict.status === "delivered" && tookMillis <= SLOW_MILLIS;
    const record = healthRecord(run, verdict, proven, nowMillis);
    this.#deps.counter.move(run, proven ? "good" : "slow");
    run.health = verdict.health;
    if (verdict.retire !== null) run.inUse = false;
    if (!proven || !this.#mayGoOn(run)) void this.#giveBack(run);
    return record;
  }

  async #giveBack(run: EndpointRun, before = Number.POSITIVE_INFINITY): Promise<void> {
    const late = run.queue.filter((queued) => queued.claimedAt < before).map((queued) => queued.delivery);
    if (late.length === 0) return;
    const rest = run.queue.filter((queued) => queued.claimedAt >= before);
    run.queue.splice(0, run.queue.length, ...rest);
    if (rest.length === 0) this.#waiting.delete(run);
    try {
      await this.#deps.store.giveBack(late);
      run.hot = true;
    } catch (error) {
      // They stay recorded as started: recovery finds them as unknown.
      this.#deps.logger.warn({ err: error, count: late.length }, "webhook starts could not be taken back");
    }
    for (const delivery of late) this.#underWay.delete(delivery.id);
  }
}

function tellAttempt(
  { metrics, logger }: Pick<DeliveryLoopDeps, "metrics" | "logger">,
  { owner, id: deliveryId, eventId, attempt }: ClaimedDelivery,
  { class: outcome, status }: AttemptOutcome,
  tookMillis: number,
  verdict: AttemptVerdict,
): void {
  metrics.count("ringfold_webhook_attempts_total", { class: outcome });
  metrics.observe("ringfold_webhook_attempt_duration_seconds", tookMillis / 1000, {});
  logger.debug({ owner, deliveryId, eventId, attempt, outcome, status, tookMillis }, "webhook attempt");
  if (verdict.retire !== null)
    logger.warn({ owner, reason: verdict.retire }, "webhook endpoint went out of use");
}

/** The entry of the attempt log, and the new state of its delivery. */
function attemptRecord(
  delivery: ClaimedDelivery,
  sent: SentAttempt,
  outcome: AttemptOutcome,
  verdict: AttemptVerdict,
  times: { readonly startedAtMillis: number; readonly endedAtMillis: number },
): AttemptRecord {
  return {
    owner: delivery.owner,
    id: delivery.id,
    number: delivery.attempt,
    trigger: delivery.recovering ? "recovery" : delivery.trigger,
    ...times,
    class: outcome.class,
    httpStatus: outcome.status,
    detail: outcome.detail,
    phases: sent.times,
    answer: sent.answer,
    answerHeaders: sent.answerHeaders,
    remoteAddress: sent.remoteAddress,
    secretId: sent.secretId,
    status: verdict.status,
    failures: verdict.failures,
    nextAttemptAtMillis: verdict.nextAttemptAtMillis,
  };
}

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
