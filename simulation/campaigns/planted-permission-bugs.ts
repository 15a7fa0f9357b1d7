import type { Policies } from "../../application/ports/policies.ts";
import type { CampaignEvent } from "../../domain/campaign/events.ts";
import type { EligibilityEvidence, Policy } from "../../domain/policy/policy.ts";
import { plusMillis } from "../../domain/shared/instant.ts";
import { campaign, HEALTHY, type PlantedBug } from "./mutants.ts";

/** Both who judges and who looks ahead have it otherwise than the log. */
const without =
  (field: "requireConsent" | "listMaxAgeDays") =>
  (policies: Policies): Policies => ({
    ...policies,
    store: (owner, version, policy) => {
      const { [field]: _field, ...rest } = policy;
      return policies.store(owner, version, rest satisfies Policy);
    },
  });

/** The answer by which contacts are dialled is not the one that was given for it. */
const answering = (change: (answer: EligibilityEvidence) => Partial<EligibilityEvidence>) =>
  campaign(
    (decide) => (command, state) =>
      decide(command, state).map((event): CampaignEvent => {
        const eligibility = event.type === "ContactDialed" ? event.data.evidence.eligibility : undefined;
        if (event.type !== "ContactDialed" || eligibility === undefined) return event;
        const changed = { ...eligibility, ...change(eligibility) };
        return {
          ...event,
          data: { ...event.data, evidence: { ...event.data.evidence, eligibility: changed } },
        };
      }),
  );

/** What can be wrong about consent, lists and the owner's address. */
export const PERMISSION_BUGS: readonly PlantedBug[] = [
  {
    name: "calls who has given no consent",
    mutants: { ...HEALTHY, policies: without("requireConsent") },
    found: { seed: 16 },
    finding: /rings \+\d+ (without consent|with a consent that was over)/,
  },
  {
    name: "calls by a list that is too old",
    mutants: { ...HEALTHY, policies: without("listMaxAgeDays") },
    found: { seed: 48 },
    finding: /rings \+\d+ by lists that are older than/,
  },
  {
    name: "looks up numbers on the do-not-call list alone",
    mutants: {
      ...HEALTHY,
      directory: (directory) => ({
        ...directory,
        suppressed: directory.onOwnList,
        suppressions: async (owner, numbers) => {
          const found = [...(await directory.suppressions(owner, numbers))];
          return new Map(found.filter(([, { list }]) => list === undefined));
        },
      }),
    },
    found: { seed: 9 },
    finding: /rings \+\d+ which is on a list/,
  },
  {
    name: "uses an answer twice",
    mutants: answering(() => ({ eventId: "the first" })),
    found: { seed: 43 },
    finding: /by the answer that call_\S+ has used/,
  },
  {
    name: "dials by an answer that is older than a minute",
    mutants: answering(({ askedAt }) => ({ askedAt: plusMillis(askedAt, -90_000) })),
    found: { seed: 1 },
    finding: /by an answer that was old/,
  },
  {
    name: "calls whoever it could not ask about",
    mutants: {
      ...HEALTHY,
      eligibility: ({ ask }) => ({
        ask: async (...asked) => {
          const reply = await ask(...asked);
          return reply.answer.kind === "unavailable" ? { ...reply, answer: { kind: "allowed" } } : reply;
        },
      }),
    },
    found: { seed: 1 },
    finding: /though the address said unavailable/,
  },
  {
    name: "does not see that the policy names an address",
    mutants: {
      ...HEALTHY,
      admission: (admission) => ({
        ...admission,
        admit: (request) => {
          const candidates = request.candidates.map((each) => ({ ...each, isAsked: true }));
          return admission.admit({ ...request, candidates });
        },
        judge: (dial) => admission.judge({ ...dial, isAsked: true }),
      }),
      policies: (policies) => ({
        ...policies,
        inForce: async (owner) => {
          const inForce = await policies.inForce(owner);
          if (inForce === null) return null;
          const { eligibility: _address, ...rest } = inForce.policy;
          return { ...inForce, policy: rest };
        },
      }),
    },
    found: { seed: 1 },
    finding: /and nobody was asked|Nobody was asked/,
  },
];
