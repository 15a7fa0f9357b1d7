import type { Admitted, Grant } from "../../../domain/admission/grants.ts";
import type { ConnectionTurn } from "../../../domain/admission/requests.ts";
import {
  type DueContact,
  dueContacts,
  type GrantedDial,
  nextDueAt,
} from "../../../domain/campaign/due-contacts.ts";
import type { ContactDialed, SuppressionEntry } from "../../../domain/campaign/events.ts";
import { type CampaignSettings, eligibilityCheckOf } from "../../../domain/campaign/settings.ts";
import type { CampaignState } from "../../../domain/campaign/state.ts";
import type { EligibilityCheck, PolicyInForce } from "../../../domain/policy/policy.ts";
import type { CallId, ConnectionId, OwnerId, PhoneNumberId } from "../../../domain/shared/ids.ts";
import { earliest, type Instant, plusMillis } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { campaignStream } from "../../log/stream-names.ts";
import type { CampaignRun } from "./campaign-run.ts";
import { nobodyIsDue, somebodyIsDue } from "./due-since.ts";
import { ASKED_AHEAD, type Eligible, type EligibleContact, eligibleContacts } from "./eligible-contacts.ts";
import { NO_HOLDS, type PolicyHolds, policyHolds } from "./policy-holds.ts";
import type { RunnerDeps } from "./runner-deps.ts";
import { runnerOrigin } from "./runner-origin.ts";
import { BATCH_LIMIT, FEW_STARTING } from "./start-limit.ts";

/** After a batch that the policy refused whole: the next one may be, too, and then takes no slot. */
const JUDGED_LIMIT = 500;
/**
 * A demand for slots expires after 10 s: it is repeated before that, unless admission wakes
 * the campaign earlier.
 */
const DEMAND_AGAIN_MILLIS = 5_000;
const NOTHING_DIALLED_MILLIS = 1_000;

type Batch = {
  readonly due: readonly DueContact[];
  readonly room: number;
  readonly nextDueAt: Instant | null;
  readonly settings: CampaignSettings | null;
  /** Whom it asks before each dial; null: nobody. */
  readonly check: EligibilityCheck | null;
};

/** The campaign's number, what it calls through, and the policy of its owner. */
export type DialLine = {
  readonly phoneNumberId: PhoneNumberId;
  readonly connectionId: ConnectionId | null;
  readonly policy: PolicyInForce | null;
  /** How many calls the owner has free at the moment; null: the owner is inactive. */
  readonly freeCalls: number | null;
};

/**
 * Dials as many due contacts as slots, credits, pace and cap allow. Slots are taken in one transaction, then
 * the do-not-call list is read for them: an opt-out that does not see a slot is seen by its reader.
 * Suppressed contacts are skipped, those whom the policy refuses are held or skipped, all of it and all dials
 * are one append that checks state and window at its own time, and unused slots are returned. Where an
 * address is asked first, slots are taken for those whom it has allowed. Returns when to look again (null:
 * when woken).
 */
export async function dialBatch(deps: RunnerDeps, run: CampaignRun, line: DialLine): Promise<Instant | null> {
  const now = deps.clock.now();
  const batch = await batchNow(deps, run, line, BATCH_LIMIT);
  if (batch.due.length === 0) run.refusal = null;
  if (batch.room <= 0 || deps.dialing.stopped.aborted) return null;
  if (batch.check !== null && line.freeCalls === null) return ownerInactive(run);
  if (batch.due.length === 0) {
    const next = earliest([batch.nextDueAt, leftOutUntil(run, now)]);
    return next !== null && next > now ? next : null;
  }
  const wanted = Math.min(batch.room, batch.due.length);
  const count = deps.startLimit.enter(run, wanted);
  if (count === 0) return null;
  try {
    const these = count < wanted ? await batchNow(deps, run, line, count) : batch;
    return await dialThese(deps, run, line, these);
  } finally {
    deps.startLimit.leave(count);
  }
}

/** `limit`: how many it may dial at the most. */
function batchNow(deps: RunnerDeps, run: CampaignRun, line: DialLine, limit: number): Promise<Batch> {
  const now = deps.clock.now();
  return deps.aggregates.campaigns.query(campaignStream(run.campaignId), (state) =>
    batchOf(state, now, run, line, limit),
  );
}

async function dialThese(
  deps: RunnerDeps,
  run: CampaignRun,
  line: DialLine,
  batch: Batch,
): Promise<Instant | null> {
  const { owner } = run;
  const { phoneNumberId, connectionId, policy } = line;
  const now = deps.clock.now();
  const route = await deps.carriers.route(owner, connectionId, null);
  if (route === null) return noConnection(deps, run);
  const early =
    run.metSuppressed || batch.check !== null
      ? await withoutSuppressed(deps, owner, batch.due)
      : allOf(batch.due);
  const eligible = eligibleOf(deps, run, early.callable, { batch, policy });
  const wanted = eligible.callable.map((contact) => ({ contact, callId: deps.ids.next("call") }));
  const admitted = await admit(deps, run, wanted, { settings: batch.settings, connection: route.turn });
  run.refusal = admitted.refusal;
  if (admitted.refusal === "owner_inactive") ownerInactive(run);
  const checkedAt = deps.clock.monotonicMillis();
  const granted = grantedOf(wanted, admitted.granted);
  const late = await withoutSuppressed(
    deps,
    owner,
    granted.map(({ contact }) => contact),
  );
  const suppressed = [...early.suppressed, ...late.suppressed];
  run.metSuppressed = suppressed.length > 0;
  const refused = refusedOf(wanted, admitted);
  run.metPolicy = wanted.length > 0 && refused.length === wanted.length;
  const holds = refused.length === 0 ? NO_HOLDS : policyHolds(deps, run, refused, policy);
  const { notEligible } = eligible;
  const held = [...holds.held, ...eligible.held];
  const entries = await entriesOf(deps, owner, suppressed);
  const facts = { suppressed, entries, phoneNumberId, ...holds, held, notEligible };
  const dialed = await dial(deps, run, granted, facts);
  for (const data of dialed) run.starts.start({ dial: data, checkedAt, connectionId });
  const done = dialed.length + suppressed.length + refused.length + eligible.held.length + notEligible.length;
  if (wanted.length + done === 0) return eligible.isAsking ? leftOutUntil(run, now) : now;
  return lookAgainAt(deps, wanted.length, admitted, done);
}

/** Nobody may be called for it, so nobody counts as due. */
function ownerInactive(run: CampaignRun): null {
  run.refusal = "owner_inactive";
  nobodyIsDue(run);
  return null;
}

/** null: nobody is left out. */
function leftOutUntil(run: CampaignRun, now: Instant): Instant | null {
  const millis = run.leftOut.millisLeft();
  return millis === null ? null : plusMillis(now, millis);
}

type AskedOfBatch = Pick<DialLine, "policy"> & { readonly batch: Pick<Batch, "room" | "check"> };

function eligibleOf(
  deps: RunnerDeps,
  run: CampaignRun,
  due: readonly DueContact[],
  { batch: { room, check }, policy }: AskedOfBatch,
): Eligible {
  if (check === null) return { callable: due, held: [], notEligible: [], isAsking: false };
  const { callable, ...refused } = eligibleContacts(deps, run, due, { check, policy });
  return { callable: callable.slice(0, room), ...refused };
}

function refusedOf(wanted: Wanted, { byPolicy = [] }: Admitted) {
  const contactOf = new Map(wanted.map(({ callId, contact }) => [callId, contact.contactId]));
  return byPolicy.flatMap((refused) => {
    const contactId = contactOf.get(refused.callId);
    return contactId === undefined ? [] : [{ ...refused, contactId }];
  });
}

type Screened = { readonly callable: readonly DueContact[]; readonly suppressed: readonly DueContact[] };

function allOf(due: readonly DueContact[]): Screened {
  return { callable: due, suppressed: [] };
}

async function withoutSuppressed(
  { directory }: RunnerDeps,
  owner: OwnerId,
  due: readonly DueContact[],
): Promise<Screened> {
  if (due.length === 0) return allOf(due);
  const refused = await directory.suppressed(
    owner,
    due.map(({ phoneNumber }) => phoneNumber),
  );
  const { callable = [], suppressed = [] } = Object.groupBy(due, ({ phoneNumber }) =>
    refused.has(phoneNumber) ? "suppressed" : "callable",
  );
  return { callable, suppressed };
}

/** No carrier is configured for its number, so nobody is dialled. */
function noConnection(deps: RunnerDeps, run: CampaignRun): Instant {
  run.refusal = "carrier";
  return plusMillis(deps.clock.now(), DEMAND_AGAIN_MILLIS);
}

function batchOf(
  state: CampaignState,
  now: Instant,
  run: CampaignRun,
  { policy, freeCalls }: Pick<DialLine, "policy" | "freeCalls">,
  most: number,
): Batch {
  const { settings, live } = state;
  const check = eligibilityCheckOf(settings, policy);
  const cap = settings?.maxConcurrentCalls ?? Number.POSITIVE_INFINITY;
  const room = run.starts.count() > FEW_STARTING ? 0 : Math.min(most, cap - live.size);
  const limit = room > 0 ? lookedAt(run, room, check === null ? null : (freeCalls ?? 0)) : room;
  const due = dueContacts(state, now, limit, policy, run.leftOut.has);
  const next = due.length > 0 ? null : nextDueAt(state, now, policy, run.leftOut.has);
  if (due.length > 0 || (next !== null && next <= now)) somebodyIsDue(run, state, now, policy);
  else nobodyIsDue(run);
  return { due, room, settings, check, nextDueAt: next };
}

/** How many due contacts. `free`: who is asked about could be dialled next; null: nobody is asked. */
function lookedAt({ metPolicy }: CampaignRun, room: number, free: number | null): number {
  if (free !== null) return Math.min(room, free) + ASKED_AHEAD;
  return metPolicy ? JUDGED_LIMIT : room;
}

/** Due contacts that are on the do-not-call list, with their entries. */
type Skipped = {
  readonly suppressed: readonly DueContact[];
  readonly entries: ReadonlyMap<PhoneNumber, SuppressionEntry>;
};
type DialFacts = Skipped & PolicyHolds & Pick<Eligible, "notEligible"> & Pick<DialLine, "phoneNumberId">;

/** A number may have been taken off the list meanwhile; then its entry is not recorded. */
async function entriesOf(
  { directory }: RunnerDeps,
  owner: OwnerId,
  suppressed: readonly DueContact[],
): Promise<Skipped["entries"]> {
  if (suppressed.length === 0) return new Map();
  return directory.suppressions(
    owner,
    suppressed.map(({ phoneNumber }) => phoneNumber),
  );
}

type Wanted = readonly { readonly contact: EligibleContact; readonly callId: CallId }[];

async function admit(
  deps: RunnerDeps,
  run: CampaignRun,
  wanted: Wanted,
  limits: { readonly settings: CampaignSettings | null; readonly connection: ConnectionTurn },
): Promise<Admitted> {
  const { settings, connection } = limits;
  if (wanted.length === 0) return { granted: [], refusal: null };
  const admitted = await deps.admission.admit({
    owner: run.owner,
    campaignId: run.campaignId,
    candidates: wanted.map(({ callId, contact }) => ({
      callId,
      phoneNumber: contact.phoneNumber,
      windowClosesAt: contact.windowClosesAt,
      timezone: contact.ownTimezone,
      consent: contact.consent,
      isAsked: contact.eligibility !== undefined,
    })),
    pricePerMinute: deps.settings.pricePerMinute,
    maxConcurrentCalls: settings?.maxConcurrentCalls ?? null,
    maxCallsPerSecond: settings?.maxCallsPerSecond ?? null,
    connection,
  });
  for (const { dialBy } of admitted.granted) deps.wakeWatchdogBy(dialBy);
  return admitted;
}

type Granted = readonly { readonly contact: EligibleContact; readonly grant: Grant }[];

function grantedOf(wanted: Wanted, grants: readonly Grant[]): Granted {
  const byCall = new Map(grants.map((grant) => [grant.callId, grant]));
  return wanted.flatMap(({ contact, callId }) => {
    const grant = byCall.get(callId);
    return grant === undefined ? [] : [{ contact, grant }];
  });
}

async function dial(
  deps: RunnerDeps,
  run: CampaignRun,
  grants: Granted,
  { suppressed, entries, phoneNumberId, ...holds }: DialFacts,
): Promise<readonly ContactDialed["data"][]> {
  const refused = [suppressed, ...Object.values(holds)];
  if (grants.length === 0 && refused.every(({ length }) => length === 0)) return [];
  const { campaignId, callOwners } = run;
  const slots = grants.map(({ grant }) => grant.callId);
  const granted = grants
    .filter(({ contact }) => !suppressed.includes(contact))
    .map(({ contact, grant }) => grantedDial(contact, grant));
  if (deps.dialing.stopped.aborted) {
    await giveBack(deps, run, slots, []);
    return [];
  }
  for (const { callId, contactId } of granted) callOwners.set(callId, { campaignId, contactId });
  const handled = await deps.aggregates.campaigns.handle(
    campaignStream(campaignId),
    [
      {
        type: "DialDueContacts",
        granted,
        suppressed: suppressed.map(({ contactId }) => contactId),
        suppressions: new Map(
          suppressed.flatMap(({ contactId, phoneNumber }) => {
            const entry = entries.get(phoneNumber);
            return entry === undefined ? [] : [[contactId, entry] as const];
          }),
        ),
        ...holds,
        phoneNumberId,
        now: deps.clock.now(),
      },
    ],
    runnerOrigin(run),
    { owned: true },
  );
  const dialed = handled.events.flatMap((event) => (event.type === "ContactDialed" ? [event.data] : []));
  await giveBack(deps, run, slots, dialed);
  return dialed;
}

function grantedDial({ contactId, eligibility }: EligibleContact, grant: Grant): GrantedDial {
  const { callId, dialAt, dialBy, activeCalls, effectiveMaxConcurrentCalls, availableCredits } = grant;
  const evidence = {
    ...{ activeCalls, effectiveMaxConcurrentCalls, availableCredits, ...grant.policy },
    ...(eligibility === undefined ? {} : { eligibility }),
  };
  return { contactId, callId, dialAt, dialBy, evidence };
}

/** After a crash before this, the watchdog frees the slots. */
async function giveBack(
  deps: RunnerDeps,
  run: CampaignRun,
  slots: readonly CallId[],
  dialed: readonly ContactDialed["data"][],
): Promise<void> {
  const used = new Set(dialed.map(({ callId }) => callId));
  const unused = slots.filter((callId) => !used.has(callId));
  if (unused.length === 0) return;
  for (const callId of unused) run.callOwners.delete(callId);
  await deps.admission.close(unused.map((callId) => ({ callId, cost: 0, unused: true })));
}

function lookAgainAt(
  deps: RunnerDeps,
  wanted: number,
  { granted, refusal, byPolicy = [] }: Admitted,
  done: number,
): Instant | null {
  const now = deps.clock.now();
  if (refusal === "owner_inactive") return null;
  if (refusal === "credits") return now;
  if (refusal !== null && granted.length < wanted) return plusMillis(now, DEMAND_AGAIN_MILLIS);
  const judged = granted.length + byPolicy.length;
  if (wanted > 0 && (judged === 0 || done === 0)) return plusMillis(now, NOTHING_DIALLED_MILLIS);
  return now;
}
