import type { Policies } from "../../application/ports/policies.ts";
import type { Policy } from "../../domain/policy/policy.ts";
import { plusMillis } from "../../domain/shared/instant.ts";
import { believing, HEALTHY, type PlantedBug } from "./mutants.ts";
import { REFERENCE_SCENARIOS } from "./reference-scenarios.ts";

const YEAR_MILLIS = 365 * 24 * 3_600_000;

/** The admission and the runner read it otherwise than the log has it. */
const reading =
  (change: (policy: Policy) => Policy) =>
  (policies: Policies): Policies => ({
    ...policies,
    store: (owner, version, policy) => policies.store(owner, version, change(policy)),
  });

/** What can be wrong about an owner's policy. */
export const POLICY_BUGS: readonly PlantedBug[] = [
  {
    name: "counts one dial of a number less than there are",
    mutants: {
      ...HEALTHY,
      policies: reading((policy) => {
        const caps = Object.entries(policy.attemptsPerNumber ?? {}).map(([period, cap]) => [period, cap + 1]);
        return caps.length === 0 ? policy : { ...policy, attemptsPerNumber: Object.fromEntries(caps) };
      }),
    },
    found: { seed: 16 },
    finding: /is dial \d+ to \+\d+ in a/,
  },
  {
    name: "rings a number that is in a call already",
    mutants: { ...HEALTHY, policies: reading((policy) => ({ ...policy, oneCallAtATime: false })) },
    found: { seed: 22 },
    finding: /rings \+\d+, which is in call_/,
  },
  {
    name: "looks up the hours in the campaign's zone instead of the person's",
    mutants: {
      ...HEALTHY,
      policies: (policies) => ({
        ...policies,
        inForce: async (owner) => {
          const inForce = await policies.inForce(owner);
          return inForce && { ...inForce, policy: { ...inForce.policy, callableHours: null } };
        },
      }),
      admission: (admission) => ({
        ...admission,
        admit: (request) => {
          const candidates = request.candidates.map((each) => ({ ...each, timezone: "Pacific/Apia" }));
          return admission.admit({ ...request, candidates });
        },
      }),
    },
    found: { seed: 4 },
    finding: /rings \+\d+ at \d+ in /,
  },
  {
    name: "never lifts a hold",
    mutants: believing((event) =>
      event.type === "ContactHeld" && event.data.until !== null
        ? { ...event, data: { ...event.data, until: plusMillis(event.data.until, YEAR_MILLIS) } }
        : event,
    ),
    found: { seed: 16 },
    finding: /not finished|nothing left to wait for/,
  },
  {
    name: "counts what was granted and never dialled",
    mutants: {
      ...HEALTHY,
      admission: (admission) => ({
        ...admission,
        close: (settlements) => admission.close(settlements.map((each) => ({ ...each, unused: false }))),
      }),
    },
    found: { seed: 33 },
    finding: /its number was not dialled so often/,
  },
  {
    name: "does not judge again when a call begins",
    mutants: { ...HEALTHY, admission: (admission) => ({ ...admission, judge: async () => null }) },
    found: { dyingIn: REFERENCE_SCENARIOS["a policy that closes while calls wait for their turn"] },
    finding: /is in a call with|which is closed/,
  },
];
