import { ANALYSES } from "../../application/call/reactions/analyses.ts";
import { DECIDERS } from "../../application/log/aggregates.ts";
import type { Directory } from "../../application/ports/directory.ts";
import type { HeardOptOut, OptOuts } from "../../application/ports/opt-outs.ts";
import type { RetryPlanRow } from "../../domain/campaign/settings.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { believing, call, campaign, HEALTHY, type PlantedBug } from "./mutants.ts";
import { CALLBACK_BUGS } from "./planted-callback-bugs.ts";
import { PERMISSION_BUGS } from "./planted-permission-bugs.ts";
import { POLICY_BUGS } from "./planted-policy-bugs.ts";
import { REFERENCE_SCENARIOS } from "./reference-scenarios.ts";
import type { Mutants, Shared } from "./shared-world.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** It plans retries by other rows than the campaign has. */
const planning = (change: (row: RetryPlanRow) => RetryPlanRow): Mutants =>
  campaign((decide) => (command, state) => {
    const { settings } = state;
    if (command.type !== "RecordAttemptOutcome" || settings === null) return decide(command, state);
    const retryPlan = settings.retryPlan?.map(change) ?? null;
    return decide(command, { ...state, settings: { ...settings, retryPlan } });
  });

/** As it was before: the list is read, then the slot is taken, and the database is slow in between. */
function listReadBeforeTheSlot(): Mutants {
  let clock: VirtualClock | null = null;
  let list: Directory | null = null;
  let read: ReadonlySet<PhoneNumber> = new Set();
  return {
    ...HEALTHY,
    eventStore: (store, shared) => {
      clock = shared.clock;
      return store;
    },
    admission: (admission) => ({
      ...admission,
      admit: async (request) => {
        const numbers = request.candidates.map(({ phoneNumber }) => phoneNumber);
        read = (await list?.suppressed(request.owner, numbers)) ?? new Set();
        await clock?.sleep(SLOW_ADMISSION_MILLIS);
        return admission.admit(request);
      },
    }),
    directory: (directory) => {
      list = directory;
      return { ...directory, suppressed: async () => read };
    },
  };
}

/** The call's event does not wait for the entry. */
function eventBeforeTheList(optOuts: OptOuts, { clock }: Shared): OptOuts {
  const unlisted = new Map<CallId, HeardOptOut>();
  const told = new Set<CallId>();
  return {
    ...optOuts,
    list: async (heard) => {
      unlisted.set(heard.callId, heard);
      clock.after(SLOW_LIST_MILLIS, () => {
        unlisted.delete(heard.callId);
        void optOuts.list(heard);
      });
    },
    due: async (limit) => [
      ...[...unlisted.values()].filter(({ callId }) => !told.has(callId)),
      ...(await optOuts.due(limit)),
    ],
    recorded: async (heard) => {
      if (unlisted.has(heard.callId)) told.add(heard.callId);
      else await optOuts.recorded(heard);
    },
  };
}

const SLOW_ADMISSION_MILLIS = 5_000;
const SLOW_LIST_MILLIS = 30_000;
const DIALS = new Set(["CallRequested", "CallDialingBegan"]);
const WRITE_BEHIND_MILLIS = 50;

export const PLANTED_BUGS: readonly PlantedBug[] = [
  ...CALLBACK_BUGS,
  ...POLICY_BUGS,
  ...PERMISSION_BUGS,
  {
    name: "dials before the write-ahead is durable",
    mutants: {
      ...HEALTHY,
      eventStore: (store, { clock }) => ({
        ...store,
        append: async (stream, expected, events) => {
          if (!events.some(({ type }) => type === "CallDialingBegan"))
            return store.append(stream, expected, events);
          clock.after(
            WRITE_BEHIND_MILLIS,
            () => void store.append(stream, expected, events).catch(() => undefined),
          );
          return { revision: (expected === "no_stream" ? -1 : expected) + events.length, position: "1" };
        },
      }),
    },
    found: { seed: 3 },
    finding: /dialled before it was written|dialled twice/,
  },
  {
    name: "saves the checkpoint before the work is done",
    mutants: {
      ...HEALTHY,
      reaction: (reaction, { clock }) => ({
        ...reaction,
        handle: async (events) => {
          clock.after(WRITE_BEHIND_MILLIS, () => void reaction.handle(events).catch(() => undefined));
        },
      }),
    },
    found: { seed: 34 },
    finding: /changes told|was never queued/,
  },
  {
    name: "allows one retry too many",
    mutants: campaign((decide) => (command, state) => {
      const { settings } = state;
      if (command.type !== "RecordAttemptOutcome" || settings === null) return decide(command, state);
      return decide(command, {
        ...state,
        settings: { ...settings, maxRetries: (settings.maxRetries ?? 3) + 1 },
      });
    }),
    found: { seed: 8 },
    finding: /beyond the budget/,
  },
  {
    name: "waits as after the first failure each time, whatever the plan says",
    mutants: planning((row) => ({ ...row, afterMins: row.afterMins.slice(0, 1) })),
    found: { seed: 33 },
    finding: /ms for its failure/,
  },
  {
    name: "calls again on the day on which the plan does not",
    mutants: planning((row) => ({ ...row, sameDay: true })),
    found: { seed: 21 },
    finding: /is due .+, not /,
  },
  {
    name: "takes the closing hour of the window for open",
    mutants: believing((event) => {
      if (event.type !== "CampaignCreated" || event.data.settings.window === null) return event;
      const { settings } = event.data;
      const window = { ...event.data.settings.window, end: (event.data.settings.window.end + 1) % 24 };
      return { ...event, data: { ...event.data, settings: { ...settings, window } } };
    }),
    found: { seed: 26 },
    finding: /was dialled at|not finished/,
  },
  {
    name: "does not free the slot of a call that cost nothing",
    mutants: {
      ...HEALTHY,
      admission: (admission) => ({
        ...admission,
        close: (settlements) => admission.close(settlements.filter(({ cost }) => cost > 0)),
      }),
    },
    found: { seed: 1 },
    finding: /slots|reserved/,
  },
  {
    name: "applies an answer that comes after the end",
    mutants: call((decide) => (command, state) => {
      if (command.type !== "RecordAnswered" || state.callId === null || state.endedAt === null) {
        return decide(command, state);
      }
      const { answeredBy, carrierRef, sequence, now } = command;
      return [
        { type: "CallConnected", data: { callId: state.callId, at: now, answeredBy, carrierRef, sequence } },
      ];
    }),
    found: { seed: 10 },
    finding: /CallConnected after rank/,
  },
  {
    name: "dials again after a restart instead of asking the carrier",
    mutants: {
      ...HEALTHY,
      telephony: (telephony) => ({ ...telephony, lookup: async () => ({ kind: "absent" }) }),
    },
    found: { seed: 100 },
    finding: /ended not_placed, and the carrier had it/,
  },
  {
    name: "asks about every call at the installation's own carrier",
    mutants: {
      ...HEALTHY,
      carriers: (carriers) => ({ ...carriers, dialledOn: (owner) => carriers.dialledOn(owner, null) }),
    },
    found: { seed: 3 },
    finding: /was asked about where it was not dialled/,
  },
  {
    name: "takes a carrier that began anew for the one that was dialled",
    mutants: {
      ...HEALTHY,
      telephony: (telephony) => ({
        ...telephony,
        lookup: async (call) => {
          const found = await telephony.lookup(call);
          return found.kind === "ambiguous" ? { kind: "absent" } : found;
        },
      }),
    },
    found: { dyingIn: REFERENCE_SCENARIOS["a carrier that begins anew"] },
    finding: /ended not_placed, and the carrier had it/,
  },
  {
    name: "takes a lost reply for a call that was not placed",
    mutants: call(
      (decide) => (command, state) =>
        command.type === "RecordUnknownOutcome"
          ? decide({ type: "RecordRejected", endReason: "not_placed", error: null, now: command.now }, state)
          : decide(command, state),
    ),
    found: { seed: 10 },
    finding: /ended not_placed, and the carrier had it/,
  },
  {
    name: "does not look at the do-not-call list",
    mutants: { ...HEALTHY, directory: (directory) => ({ ...directory, suppressed: async () => new Set() }) },
    found: { seed: 19 },
    finding: /was suppressed/,
  },
  {
    name: "reads the do-not-call list before it takes the slot",
    mutants: listReadBeforeTheSlot(),
    found: { seed: 137 },
    finding: /no-dial-after-opt-out/,
  },
  {
    name: "records an opt-out before the number is on the do-not-call list",
    mutants: { ...HEALTHY, optOuts: eventBeforeTheList },
    found: { seed: 42 },
    finding: /no-dial-after-opt-out/,
  },
  {
    name: "takes a number off the do-not-call list, and its call does not tell so",
    mutants: call(
      (decide) => (command, state) => (command.type === "RevokeOptOut" ? [] : decide(command, state)),
    ),
    found: { seed: 116 },
    finding: /no-dial-after-opt-out/,
  },
  {
    name: "does not look at calls that are over",
    mutants: {
      ...HEALTHY,
      reaction: (reaction) => ({
        ...reaction,
        handle: (events) =>
          reaction.handle(
            reaction.name === ANALYSES
              ? events.filter(({ event }) => event.type !== "CallCompleted")
              : events,
          ),
      }),
    },
    found: { seed: 1 },
    finding: /analyses, \d+ of \d+ ends/,
  },
  {
    name: "answers a wish twice",
    mutants: call((decide) => (command, state) => {
      const answers = decide(command, state);
      return command.type === "RecordAnalysis" ? [...answers, ...answers] : answers;
    }),
    found: { seed: 1 },
    finding: /analysis-answered-once/,
  },
  {
    name: "believes the model without evidence",
    mutants: call(
      (decide) => (command, state) =>
        decide(command.type === "RecordAnalysis" ? { ...command, evidence: {} } : command, state),
    ),
    found: { seed: 1 },
    finding: /evidence-was-said/,
  },
  {
    name: "goes on dialling what was due when the pause came",
    mutants: {
      ...HEALTHY,
      deciders: {
        ...DECIDERS,
        campaign: {
          ...DECIDERS.campaign,
          evolve: (state, event) =>
            event.type === "CampaignPaused" && event.data.reason === "manual"
              ? { ...DECIDERS.campaign.evolve(state, event), status: "RUNNING", pauseReason: null }
              : DECIDERS.campaign.evolve(state, event),
        },
      },
    },
    found: { seed: 3 },
    finding: /was dialled while paused/,
  },
  {
    name: "counts one live call less than there are",
    mutants: believing((event) => {
      if (event.type !== "CampaignCreated" || event.data.settings.maxConcurrentCalls === null) return event;
      const { settings } = event.data;
      const maxConcurrentCalls = (settings.maxConcurrentCalls ?? 0) + 1;
      return { ...event, data: { ...event.data, settings: { ...settings, maxConcurrentCalls } } };
    }),
    found: { seed: 1 },
    finding: /is live call/,
  },
  {
    name: "draws event ids from the cause, so that two owners both believe that they wrote",
    mutants: {
      ...HEALTHY,
      eventStore: (store) => ({
        ...store,
        append: (stream, expected, events) =>
          store.append(
            stream,
            expected,
            events.map((event) => ({
              ...event,
              id: DIALS.has(event.type) ? `${stream}/${event.type}` : event.id,
            })),
          ),
      }),
    },
    found: { seed: 7 },
    finding: /dialled twice/,
  },
  {
    name: "forgets the webhooks that were under way when it died",
    mutants: {
      ...HEALTHY,
      deliveryStore: (store) => ({ ...store, recoverUnknown: async () => 0 }),
    },
    found: { dyingIn: REFERENCE_SCENARIOS["one call and its webhooks"] },
    finding: /not finished/,
  },
  {
    name: "charges a call twice",
    mutants: {
      ...HEALTHY,
      admission: (admission) => ({
        ...admission,
        close: (settlements) =>
          admission.close(settlements.map(({ callId, cost }) => ({ callId, cost: 2 * cost }))),
      }),
    },
    found: { seed: 1 },
    finding: /does not add up|charged/,
  },
];
