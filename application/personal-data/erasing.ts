import { isLive } from "../../domain/call/deadlines.ts";
import type { CallId, ErasureId, OwnerId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { callStream } from "../log/stream-names.ts";
import type { Caller } from "../outcome.ts";
import type { Erasure } from "../ports/erasures.ts";
import type { Page, PageRequest } from "../ports/queries/pages.ts";
import type { Queries } from "../ports/queries.ts";
import { isRefusedForGood } from "../refused-for-good.ts";
import { answeredInTime, withinLimit } from "../within-limit.ts";
import { type ErasureStepsDeps, runErasure } from "./erasure-steps.ts";

export type ErasureTarget =
  | { readonly kind: "call"; readonly callId: CallId }
  | { readonly kind: "phone_number"; readonly phoneNumber: PhoneNumber };

/**
 * live: nothing was erased, because these calls have not ended. behind: the read models do not know all
 * calls to the number yet.
 */
export type ErasureAnswer =
  | { readonly kind: "erasure"; readonly erasure: Erasure }
  | { readonly kind: "live"; readonly callIds: readonly CallId[] }
  | { readonly kind: "behind" };

export type Erasing = {
  /**
   * Erases the texts of the calls that it finds. The same id again continues that erasure. Answers after 20 s
   * even if it is still running; it goes on by itself.
   */
  readonly erase: (caller: Caller, id: ErasureId, target: ErasureTarget) => Promise<ErasureAnswer>;
  readonly isKnown: (owner: OwnerId, callId: CallId) => Promise<boolean>;
  /** Newest first. */
  readonly list: (owner: OwnerId, page: PageRequest<ErasureId>) => Promise<Page<Erasure, ErasureId>>;
};

export type ErasingDeps = ErasureStepsDeps & {
  readonly queries: Pick<Queries, "call" | "calls" | "caughtUp">;
  /** Throws while writing is not allowed. */
  readonly requireOpen: () => void;
};

const ANSWER_MILLIS = 20_000;
const CAUGHT_UP_MILLIS = 5_000;
const PAGE = 200;
const AT_ONCE = 16;

export function createErasing(deps: ErasingDeps): Erasing {
  return {
    erase: async (caller, id, target) => {
      deps.requireOpen();
      return answeredInTime(deps.clock, erase(deps, caller, id, target));
    },
    isKnown: async (owner, callId) => (await callToErase(deps, owner, callId)) !== null,
    list: (owner, page) => deps.erasures.list(owner, page),
  };
}

async function erase(
  deps: ErasingDeps,
  caller: Caller,
  id: ErasureId,
  target: ErasureTarget,
): Promise<ErasureAnswer> {
  const before = await deps.erasures.find(caller.owner, id);
  if (before === null) {
    const refusal = await begin(deps, caller, id, target);
    if (refusal !== null) return refusal;
  }
  const running = (await deps.erasures.running()).find((one) => one.id === id);
  if (running !== undefined) {
    const limit = deps.clock.monotonicMillis() + ANSWER_MILLIS;
    await withinLimit(deps.clock, runErasure(deps, running, caller), limit);
  }
  const erasure = await deps.erasures.find(caller.owner, id);
  if (erasure === null) throw new Error("the erasure that was just begun is gone");
  return { kind: "erasure", erasure };
}

/** null: it is durable, and goes on even if this process dies. */
async function begin(
  deps: ErasingDeps,
  { owner }: Caller,
  id: ErasureId,
  target: ErasureTarget,
): Promise<ErasureAnswer | null> {
  const found = await callsOf(deps, owner, target);
  if (found === null) return { kind: "behind" };
  const callIds: CallId[] = [];
  const live: CallId[] = [];
  let recordings = 0;
  for (let from = 0; from < found.length; from += AT_ONCE) {
    const some = found.slice(from, from + AT_ONCE);
    const states = await Promise.all(some.map((callId) => callToErase(deps, owner, callId)));
    for (const [index, state] of states.entries()) {
      const callId = some[index];
      if (state === null || callId === undefined) continue;
      callIds.push(callId);
      if (state.live) live.push(callId);
      if (state.recorded) recordings += 1;
    }
  }
  if (live.length > 0) return { kind: "live", callIds: live };
  const createdAt = deps.clock.now();
  const callId = target.kind === "call" ? target.callId : null;
  const phoneNumber = target.kind === "call" ? null : target.phoneNumber;
  await deps.erasures.begin(
    { id, owner, kind: target.kind, callId, phoneNumber, recordings, createdAt },
    callIds,
  );
  return null;
}

/** By number: all that the log had at the time of the request. null: the read models are behind. */
async function callsOf(
  { queries, eventStore }: ErasingDeps,
  owner: OwnerId,
  target: ErasureTarget,
): Promise<readonly CallId[] | null> {
  if (target.kind === "call") return [target.callId];
  if ((await queries.caughtUp(await eventStore.head(), CAUGHT_UP_MILLIS)) === "behind") return null;
  const callIds: CallId[] = [];
  for (let after: CallId | null = null; ; ) {
    const page: Awaited<ReturnType<Queries["calls"]>> = await queries.calls(
      owner,
      { to: target.phoneNumber },
      { limit: PAGE, after },
    );
    callIds.push(...page.rows.map(({ callId }) => callId));
    if (page.next === null) return callIds;
    after = page.next;
  }
}

type CallToErase = { readonly live: boolean; readonly recorded: boolean };

/**
 * null: the owner has no such call. A call whose texts cannot be decrypted is taken from the read models:
 * lost texts must not prevent the erasure of the rest.
 */
async function callToErase(deps: ErasingDeps, owner: OwnerId, callId: CallId): Promise<CallToErase | null> {
  try {
    return await deps.calls.query(
      callStream(callId),
      (state) =>
        state.owner === owner
          ? { live: isLive(state), recorded: state.recordingStatus === "available" && !state.contentErased }
          : null,
      { fresh: true },
    );
  } catch (error) {
    if (!isRefusedForGood(error)) throw error;
    const known = await deps.queries.call(owner, callId);
    return known === null
      ? null
      : { live: known.endedAt === null, recorded: known.recordingStatus === "available" };
  }
}
