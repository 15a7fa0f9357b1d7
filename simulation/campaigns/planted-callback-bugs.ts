import { DECIDERS } from "../../application/log/aggregates.ts";
import { believing, campaign, HEALTHY, type PlantedBug } from "./mutants.ts";

/** What can be wrong about people who are called again as they agreed. */
export const CALLBACK_BUGS: readonly PlantedBug[] = [
  {
    name: "takes a callback for due before it is",
    mutants: believing((event) =>
      event.type === "ContactCallbackScheduled"
        ? { ...event, data: { ...event.data, callbackAt: event.data.at } }
        : event,
    ),
    found: { seed: 3 },
    finding: /was dialled before its time/,
  },
  {
    name: "does not hold the number of who agreed a callback, and counts it as a failure",
    mutants: believing((event) =>
      event.type === "ContactCallbackScheduled"
        ? { type: "ContactAttemptFailed", data: { ...event.data, retryAt: event.data.callbackAt } }
        : event,
    ),
    found: { seed: 9 },
    finding: /its number is held for a callback/,
  },
  {
    name: "forgets a callback when the line drops",
    mutants: campaign(
      (decide) => (command, state) =>
        command.type === "RecordAttemptOutcome" && command.endReason === "connection_lost"
          ? decide({ ...command, callback: null }, state)
          : decide(command, state),
    ),
    found: { seed: 34 },
    finding: /agreed a call at .+, and none follows/,
  },
  {
    name: "calls again although that was taken back",
    mutants: {
      ...HEALTHY,
      deciders: {
        ...DECIDERS,
        call: {
          ...DECIDERS.call,
          evolve: (state, event) => {
            const { callback } = state;
            const after = DECIDERS.call.evolve(state, event);
            if (event.type === "CallCallbackAgreed" && event.data.asked === null) after.callback = callback;
            return after;
          },
        },
      },
    },
    found: { seed: 19 },
    finding: /is called again, and agreed nothing/,
  },
];
