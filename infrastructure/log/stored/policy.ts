import { z } from "zod";
import { callWindow, instant, ownerId, suppressionListId, suppressionListKind } from "./fields.ts";
import { versionOne } from "./stored-type.ts";

const policyRule = z.enum([
  "consent",
  "oneCallAtATime",
  "attemptsPerNumber",
  "callableHours",
  "zone_unknown",
  "listAge",
  "eligibility",
  "eligibility_unavailable",
]);
/** What a rule of a policy saw, and what it compared that with. */
export const compared = {
  value: z.union([z.string(), z.number()]).nullable(),
  limit: z.union([z.string(), z.number()]).nullable(),
};
/** Why an owner's policy allowed a dial. */
export const policyEvidence = z.object({
  policyVersion: z.int(),
  judgedAt: instant,
  checks: z.array(z.object({ rule: policyRule, ...compared })),
  zones: z
    .object({
      country: z.string().nullable(),
      count: z.int(),
      data: z.string(),
      local: z.tuple([z.string(), z.string()]),
    })
    .nullable(),
  eligibility: z.object({ eventId: z.string(), askedAt: instant, millis: z.int() }).exactOptional(),
});

/** That somebody agreed to be called. */
export const consent = z.object({
  source: z.string().nullable(),
  at: instant,
  expiresAt: instant.exactOptional(),
  reference: z.string().exactOptional(),
});

export const eligibilityCheck = z.object({ url: z.string(), timeoutMs: z.int() });

const attemptsPerNumber = z.object({
  day: z.int().exactOptional(),
  week: z.int().exactOptional(),
  month: z.int().exactOptional(),
});

const policy = z.object({
  callableHours: callWindow.nullable(),
  attemptsPerNumber: attemptsPerNumber.nullable(),
  oneCallAtATime: z.boolean(),
  exceptSingleCalls: z.boolean(),
  requireConsent: z.literal(true).exactOptional(),
  listMaxAgeDays: z.int().exactOptional(),
  eligibility: eligibilityCheck.exactOptional(),
});

/** The stored form of the events of a policy, by type. */
export const storedPolicyTypes = {
  PolicyChanged: versionOne(z.object({ owner: ownerId, version: z.int(), policy, at: instant })),
};

const listMoment = z.object({
  owner: ownerId,
  listId: suppressionListId,
  name: z.string(),
  kind: suppressionListKind,
  at: instant,
});

/** The stored form of the events of lists of numbers, by type. */
export const storedSuppressionListTypes = {
  SuppressionListChanged: versionOne(listMoment.extend({ active: z.boolean(), deleted: z.boolean() })),
  SuppressionListReplaced: versionOne(
    listMoment.extend({ count: z.int(), sha256: z.string(), asOf: instant }),
  ),
};
