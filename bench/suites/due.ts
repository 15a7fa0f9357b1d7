import process from "node:process";
import { type CampaignCommand, campaignDecider } from "../../domain/campaign/decider.ts";
import { countDue, type DueContact, dueContacts, nextDueAt } from "../../domain/campaign/due-contacts.ts";
import type { CampaignEvent } from "../../domain/campaign/events.ts";
import type { CampaignState } from "../../domain/campaign/state.ts";
import type { CallWindow } from "../../domain/shared/call-window.ts";
import { fold } from "../../domain/shared/decider.ts";
import type { CallId, ContactId } from "../../domain/shared/ids.ts";
import { type Instant, plusMillis } from "../../domain/shared/instant.ts";
import { alternate, type Benchmark, type Result } from "../benchmark.ts";
import {
  agreedCampaign,
  CONTACTS,
  FINE,
  START,
  startedCampaign,
  waitingCampaign,
} from "../campaign-history.ts";
import { type Goal, OURS, row } from "../rows.ts";

const RUNS = 3;
const LINES = 50;
const CALL_MILLIS = 40_000;
/** When the last one is due that waits. */
const ALL_DUE = plusMillis(START, CONTACTS);
const OFFICE: CallWindow = { start: 9, end: 18 };

/**
 * Processor time of a whole campaign's rules as its runner asks them, a look after each end of a call: with
 * a window most looks find whole zones closed. No peer: the goal is the issue's.
 */
export const benchmark: Benchmark = { name: "due", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  const dials = playedWhole(folded(OFFICE));
  log(`${CONTACTS} contacts, ${dials} dials with a window`);
  return {
    benchmark: "due",
    settings: { runs: RUNS, zones: 4, lines: LINES, dials },
    rows: [
      await timed("whole campaign, 9 to 18 o'clock in four zones", OFFICE, { atMost: 1 }),
      await timed("whole campaign, no window", null, { atMost: 1 }),
      await dueAtOnce(),
      row(`how many are due of ${CONTACTS}`, "ms", await alternate([counting()], 101)),
    ],
  };
}

async function timed(what: string, window: CallWindow | null, ...goals: readonly Goal[]) {
  const run = async () => cpuSeconds(() => playedWhole(folded(window)));
  return row(what, "s", await alternate([{ name: OURS, run }], RUNS), ...goals);
}

/** Callbacks beside retries that are due at the same times. */
async function dueAtOnce() {
  const side = (name: string, history: (campaign: number) => Iterable<CampaignEvent>) => ({
    name,
    run: async () => {
      const state = fold(campaignDecider, campaignDecider.initialState(), history(0));
      let dials = 0;
      const seconds = cpuSeconds(() => {
        dials = playedWhole(state, ALL_DUE);
      });
      return (seconds / dials) * 1e6;
    },
  });
  const sides = [side(OURS, agreedCampaign), side("retries", waitingCampaign)];
  const goal = { timesAtMost: 1.5, of: "retries" };
  return row(`${CONTACTS} callbacks due at once, a dial`, "µs", await alternate(sides, RUNS), goal);
}

function cpuSeconds(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function counting() {
  const state = folded(OFFICE);
  const run = async () => {
    const started = performance.now();
    if (countDue(state, START, null) === 0) throw new Error("nobody is due");
    return performance.now() - started;
  };
  return { name: OURS, run };
}

function folded(window: CallWindow | null): CampaignState {
  const [first] = startedCampaign(0);
  if (first === undefined) throw new Error("no campaign");
  const { campaignId } = first.data;
  return fold(campaignDecider, campaignDecider.initialState(), [
    ...startedCampaign(0),
    { type: "CampaignSettingsChanged", data: { campaignId, at: START, changes: { window } } },
  ]);
}

type Call = { readonly callId: CallId; readonly contactId: ContactId; readonly endsAt: Instant };

/**
 * A campaign from its start until it is complete, as its runner asks its rules; returns its dials. The clock
 * goes from the end of a call to the next one, and to when somebody is due where there is none.
 */
function playedWhole(state: CampaignState, begin = START): number {
  const live: Call[] = [];
  let now = begin;
  let dials = 0;
  const handle = (command: CampaignCommand) => {
    const events = campaignDecider.decide(command, state);
    for (const event of events) campaignDecider.evolve(state, event);
    return events;
  };
  while (state.status !== "COMPLETED") {
    handle({ type: "JudgeConditions", world: FINE, now });
    const due = dueContacts(state, now, LINES - live.length, null);
    const next = due.length > 0 ? null : nextDueAt(state, now, null);
    for (const { type, data } of handle(dialAll(due, dials, now))) {
      if (type !== "ContactDialed") continue;
      live.push({ callId: data.callId, contactId: data.contactId, endsAt: plusMillis(now, CALL_MILLIS) });
      dials += 1;
    }
    const ended = live.shift();
    now = ended?.endsAt ?? next ?? now;
    if (ended !== undefined) handle(endOf(ended, now));
    handle({ type: "CompleteIfDone", now });
  }
  return dials;
}

function dialAll(due: readonly DueContact[], dials: number, now: Instant): CampaignCommand {
  const granted = due.map(({ contactId }, index) => ({
    contactId,
    callId: `call_${dials + index}` as const,
    dialAt: now,
    dialBy: plusMillis(now, 15_000),
    evidence: { activeCalls: 1, effectiveMaxConcurrentCalls: LINES, availableCredits: 1 },
  }));
  return { type: "DialDueContacts", granted, suppressed: [], now };
}

/** Two of three are busy and are called again: 10,000 contacts take some 24,000 dials. */
function endOf({ callId, contactId }: Call, now: Instant): CampaignCommand {
  const endReason = Number(callId.slice("call_".length)) % 3 === 0 ? "customer_ended" : "busy";
  const ended = { endReason, durationSeconds: null, cost: 0, endedAt: now, now } as const;
  return { type: "RecordAttemptOutcome", contactId, callId, ...ended };
}
