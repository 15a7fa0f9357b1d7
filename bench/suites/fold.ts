import { campaignDecider } from "../../domain/campaign/decider.ts";
import { dueContacts, type GrantedDial, nextDueAt } from "../../domain/campaign/due-contacts.ts";
import type { CampaignEvent } from "../../domain/campaign/events.ts";
import type { CampaignState } from "../../domain/campaign/state.ts";
import { fold } from "../../domain/shared/decider.ts";
import { plusMillis } from "../../domain/shared/instant.ts";
import { alternate, type Benchmark, type Result, type Row } from "../benchmark.ts";
import {
  CONTACTS,
  FINE,
  finishedCampaign,
  START,
  startedCampaign,
  waitingCampaign,
} from "../campaign-history.ts";
import { memoryAfterCollection } from "../memory-after-collection.ts";
import { type Goal, OURS, row } from "../rows.ts";

const RUNS = 11;
const BATCH = 500;
const HELD = 100;
const LATER = plusMillis(START, 3_600_000);

/**
 * Cost of a campaign's rules: the fold of a whole life, and each query of the runner on the folded state. No
 * peer: the goal is the issue's.
 */
export const benchmark: Benchmark = { name: "fold", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const life = [...finishedCampaign(0)];
  const pending = folded(startedCampaign(0));
  const waiting = folded(waitingCampaign(0));
  const granted = grantsFor(pending);
  log(`${CONTACTS} contacts, ${life.length} events`);
  const rows = [
    await timed(`fold of ${CONTACTS} contacts, ${life.length} events`, () => folded(life), { atMost: 100 }),
    await timed(`next ${BATCH} of ${CONTACTS} never called`, () => dueContacts(pending, START, BATCH, null)),
    await timed(`next ${BATCH} of ${CONTACTS} retries`, () => dueContacts(waiting, LATER, BATCH, null)),
    await timed(`when the next of ${CONTACTS} retries is due`, () => nextDueAt(waiting, START, null)),
    await timed("automatic reasons to pause", () => judge(pending)),
    await timed(`decision to dial ${BATCH}`, () => dial(pending, granted)),
  ];
  log(`${HELD} campaigns in memory`);
  return {
    benchmark: "fold",
    settings: { runs: RUNS, zones: 4, batch: BATCH },
    rows: [
      ...rows,
      row(`${HELD} of them waiting: heap kept`, "MB", { [OURS]: heldMegabytes() }, { atMost: 300 }),
    ],
  };
}

function folded(events: Iterable<CampaignEvent>): CampaignState {
  return fold(campaignDecider, campaignDecider.initialState(), events);
}

function judge(state: CampaignState): readonly CampaignEvent[] {
  return campaignDecider.decide({ type: "JudgeConditions", world: FINE, now: START }, state);
}

function dial(state: CampaignState, granted: readonly GrantedDial[]): readonly CampaignEvent[] {
  const events = campaignDecider.decide(
    { type: "DialDueContacts", granted, suppressed: [], now: START },
    state,
  );
  if (events.length !== BATCH) throw new Error(`${events.length} dialled`);
  return events;
}

function grantsFor(state: CampaignState): readonly GrantedDial[] {
  return dueContacts(state, START, BATCH, null).map(({ contactId }, index) => ({
    contactId,
    callId: `call_${index}`,
    dialAt: START,
    dialBy: plusMillis(START, 15_000),
    evidence: { activeCalls: 1, effectiveMaxConcurrentCalls: BATCH, availableCredits: 1 },
  }));
}

async function timed(what: string, work: () => unknown, ...goals: readonly Goal[]): Promise<Row> {
  const run = async () => {
    const started = performance.now();
    work();
    return performance.now() - started;
  };
  return row(what, "ms", await alternate([{ name: OURS, run }], RUNS), ...goals);
}

/** Heap of the folded states of as many campaigns as one process should run. */
function heldMegabytes(): number {
  const before = memoryAfterCollection().heapUsed;
  const held = Array.from({ length: HELD }, (_, campaign) => folded(waitingCampaign(campaign)));
  const megabytes = (memoryAfterCollection().heapUsed - before) / 2 ** 20;
  if (held.some(({ counts }) => counts.waiting_retry !== CONTACTS)) throw new Error("contacts are missing");
  return megabytes;
}
