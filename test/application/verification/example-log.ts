import type { StoredEvent } from "../../../application/ports/event-store.ts";
import { createVerification, type VerifyOptions } from "../../../application/verification/verify-policy.ts";
import type { DomainEvent } from "../../../domain/events.ts";
import type { Policy, PolicyEvidence, ZoneEvidence } from "../../../domain/policy/policy.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import { type Instant, instantFromMillis, millisOf } from "../../../domain/shared/instant.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { ZONE_DATA } from "../../../domain/shared/zones-of-countries.ts";

export const OWNER = "usr_1";
export const CAMPAIGN = "cmp_1";
export const TZDATA = "2026a";
/** Tuesday, 13:00 in Istanbul. */
const BEGIN = millisOf("2026-09-01T10:00:00.000Z");

export const at = (minutes: number): Instant => instantFromMillis(BEGIN + Math.round(minutes * 60_000));

export type Told = { readonly stream: string; readonly event: DomainEvent; readonly owner?: string };

/** As a store gives it: in order of time, revisions by stream. */
export function storedLog(told: readonly Told[]): StoredEvent[] {
  const revisions = new Map<string, number>();
  const inTime = told.toSorted((a, b) => millisOf(a.event.data.at) - millisOf(b.event.data.at));
  return inTime.map(({ stream, event, owner = OWNER }, index) => {
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    return {
      ...{ stream, revision, type: event.type, position: String(index + 1) },
      id: crypto.randomUUID(),
      data: event.data as unknown as JsonObject,
      metadata: { correlationId: "c", causationId: null, actor: "process:test", owner, schemaVersion: 1 },
      created: event.data.at,
    };
  });
}

export function policyChanged(version: number, minutes: number, policy: Policy): Told {
  const data = { owner: OWNER, version, policy, at: at(minutes) } as const;
  return { stream: `policy-${OWNER}`, event: { type: "PolicyChanged", data } };
}

export const NO_RULES: Policy = {
  callableHours: null,
  attemptsPerNumber: null,
  oneCallAtATime: false,
  exceptSingleCalls: false,
};

export function replaced(minutes: number, asOf: Instant, listId: `spl_${string}` = "spl_1"): Told {
  const list = { owner: OWNER, listId, name: "Registry", kind: "registry", at: at(minutes) } as const;
  const event = { type: "SuppressionListReplaced", data: { ...list, count: 3, sha256: "00", asOf } } as const;
  return { stream: `list-${listId}`, event };
}

export function switched(minutes: number, active: boolean, deleted = false): Told {
  const list = {
    owner: OWNER,
    listId: "spl_1",
    name: "Registry",
    kind: "registry",
    at: at(minutes),
  } as const;
  return {
    stream: "list-spl_1",
    event: { type: "SuppressionListChanged", data: { ...list, active, deleted } },
  };
}

export type Dialled = {
  readonly call: number;
  readonly to?: PhoneNumber;
  readonly minutes: number;
  /** Of the talk; null: it has not ended. */
  readonly lasts?: number | null;
  /** false: the owner's address was not. */
  readonly asked?: false;
  /** null: nobody judged it. */
  readonly evidence?: Partial<PolicyEvidence> | null;
  readonly single?: boolean;
  readonly timezone?: string;
  readonly consent?: { readonly source: string | null; readonly at: Instant; readonly expiresAt?: Instant };
  readonly ends?: "not_placed" | "busy";
  readonly began?: boolean;
  readonly writtenLater?: number;
};

const ISTANBUL = "+905321234501";

/** What a dial is judged by in Istanbul, with consent and an answer of the address. */
export function evidenceAt(minutes: number, changes: Partial<PolicyEvidence> = {}): PolicyEvidence {
  return {
    policyVersion: 1,
    judgedAt: at(minutes),
    checks: [{ rule: "consent", value: "2026-08-01T00:00:00.000Z", limit: null }],
    zones: zonesAt(minutes, "TR", 3),
    eligibility: { eventId: "e", askedAt: at(minutes - 0.1), millis: 20 },
    ...changes,
  };
}

export function zonesAt(
  minutes: number,
  country: string | null,
  hours: number,
  data = `${ZONE_DATA}/${TZDATA}`,
): ZoneEvidence {
  const local = instantFromMillis(millisOf(at(minutes)) + hours * 3_600_000).replace(
    "Z",
    `${hours < 0 ? "-" : "+"}${String(Math.abs(hours)).padStart(2, "0")}:00`,
  );
  return { country, count: 1, data, local: [local, local] };
}

/** A call by the log: dialled, begun, ended. */
export function call(dialled: Dialled): Told[] {
  const { minutes, lasts = 1, evidence, single = false, ends, began = true, writtenLater = 0 } = dialled;
  const { to = ISTANBUL, timezone, consent } = dialled;
  const callId: CallId = `call_${dialled.call}`;
  const stream = `call-${callId}`;
  const written = minutes + writtenLater;
  const { eligibility, ...whole } = evidenceAt(minutes, evidence ?? {});
  const asked = dialled.asked === false || eligibility === undefined ? {} : { eligibility };
  const judged = evidence === null ? null : { ...whole, ...asked };
  const moment = { at: at(written), dialAt: at(minutes), dialBy: at(minutes + 0.5) };
  const contact = {
    ...{
      campaignId: CAMPAIGN,
      contactId: `ctc_${dialled.call}`,
      callId,
      phoneNumber: to,
      attempt: 1,
      ...moment,
    },
    evidence: {
      ...{ localTime: "", utcOffsetMinutes: 180, timezone: timezone ?? "Europe/Istanbul", window: null },
      ...{ activeCalls: 1, effectiveMaxConcurrentCalls: 5, availableCredits: 1, attempt: 1 },
      ...judged,
    },
  };
  const request = {
    ...{ callId, owner: OWNER, to, campaignId: null, contactId: null, ...moment },
    ...(timezone === undefined ? {} : { timezone }),
    ...(consent === undefined ? {} : { consent }),
    ...(judged === null ? {} : { evidence: judged }),
  };
  const told = (type: string, data: object, of = stream): Told => ({
    stream: of,
    event: { type, data } as unknown as DomainEvent,
  });
  const end = ends === undefined ? "CallCompleted" : "CallFailed";
  return [
    single ? told("CallRequested", request) : told("ContactDialed", contact, `campaign-${CAMPAIGN}`),
    ...(began ? [told("CallDialingBegan", { callId, at: at(written + 0.01) })] : []),
    ...(lasts === null
      ? []
      : [told(end, { callId, at: at(written + lasts), endReason: ends ?? "customer_ended" })]),
  ];
}

/** What a verification says of a log. */
export function verdictOn(told: readonly Told[], options: Partial<VerifyOptions> = {}) {
  const verification = createVerification({
    ...{ policy: "in_force", from: null, until: "2027-09-01T00:00:00.000Z", tzdata: TZDATA },
    ...options,
  });
  for (const event of storedLog(told)) verification.read(event);
  const { violations, ...verdict } = verification.judge();
  return { ...verdict, violations: [...violations] };
}
