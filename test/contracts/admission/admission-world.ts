import type { Admission } from "../../../application/ports/admission.ts";
import type { Admitted, LedgerEntry } from "../../../domain/admission/grants.ts";
import type { AdmissionRequest, ConnectionTurn, Wake } from "../../../domain/admission/requests.ts";
import type { Plan } from "../../../domain/admission/slots.ts";
import type { ConsentTimes, Policy } from "../../../domain/policy/policy.ts";
import type { CreditUnits } from "../../../domain/shared/credits.ts";
import type { CallId, CampaignId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";

/** One admission with its surroundings; the contract knows no more of it. */
export type AdmissionWorld = {
  readonly admission: Admission;
  readonly setOwner: (owner: OwnerId, is: { readonly active: boolean; readonly plan: Plan }) => Promise<void>;
  readonly setPolicy: (owner: OwnerId, version: number, policy: Policy) => Promise<void>;
  /** The days of the owner's active registry lists from now on; null: one without numbers. */
  readonly setLists: (owner: OwnerId, days: readonly (Instant | null)[]) => Promise<void>;
  readonly ledger: (owner: OwnerId) => Promise<readonly LedgerEntry[]>;
  /** Time goes by; afterwards `now` has moved so far. */
  readonly pass: (millis: number) => Promise<void>;
  readonly now: () => Promise<Instant>;
  /** What all processes together can hold from now on; null: nobody says. */
  readonly setCapacity: (limits: { readonly text: number; readonly audio: number } | null) => Promise<void>;
  readonly end: () => Promise<void>;
};

export type MakeAdmissionWorld = () => Promise<AdmissionWorld>;

export const PRICE: CreditUnits = 10_000;
export const NUMBER: PhoneNumber = "+12025550100";
const FAST: Plan = { maxConcurrentCalls: 10, maxCallsPerSecond: 10_000 };

let number = 0;
function next(): string {
  number += 1;
  return String(number).padStart(6, "0");
}

export const someCall = (): CallId => `call_${next()}`;
export const someCalls = (count: number): CallId[] => Array.from({ length: count }, someCall);
export const someCampaign = (): CampaignId => `cmp_${next()}`;

/** A connection of its own, in text. */
export const someConnection = (limits: Partial<ConnectionTurn> = {}): ConnectionTurn => ({
  key: `conn_${next()}`,
  kind: "twilio",
  audio: false,
  callsPerSecond: null,
  maxConcurrentCalls: null,
  ...limits,
});

/** An owner of its own with credits, so that tests may share a world. */
export async function someOwner(
  world: AdmissionWorld,
  plan: Partial<Plan> = {},
  credits = 1_000 * PRICE,
): Promise<OwnerId> {
  const owner: OwnerId = `usr_${next()}`;
  await world.setOwner(owner, { active: true, plan: { ...FAST, ...plan } });
  if (credits > 0) await world.admission.topUp(owner, credits, "first");
  return owner;
}

type Ask = Partial<Omit<AdmissionRequest, "owner" | "candidates">> & {
  readonly windowClosesAt?: Instant | null;
  readonly phoneNumber?: PhoneNumber;
  readonly consent?: ConsentTimes | null;
};

/** Asks for slots for these calls: without a campaign unless one is named. */
export function ask(
  world: AdmissionWorld,
  owner: OwnerId,
  calls: readonly CallId[],
  { windowClosesAt = null, phoneNumber = NUMBER, consent = null, ...rest }: Ask = {},
): Promise<Admitted> {
  return world.admission.admit({
    owner,
    campaignId: null,
    pricePerMinute: PRICE,
    maxConcurrentCalls: null,
    maxCallsPerSecond: null,
    connection: null,
    ...rest,
    candidates: calls.map((callId) => ({ callId, phoneNumber, windowClosesAt, consent })),
  });
}

export function grantedCalls({ granted }: Admitted): readonly CallId[] {
  return granted.map(({ callId }) => callId);
}

export function hangUp(world: AdmissionWorld, calls: readonly CallId[], cost = 0): Promise<void> {
  return world.admission.close(calls.map((callId) => ({ callId, cost })));
}

/** Grants that became no dial. */
export function giveBack(world: AdmissionWorld, calls: readonly CallId[]): Promise<void> {
  return world.admission.close(calls.map((callId) => ({ callId, cost: 0, unused: true })));
}

/** Notes who is woken, of one owner. */
export function wakesOf(
  world: AdmissionWorld,
  owner: OwnerId,
): { readonly woken: CampaignId[]; stop(): void } {
  const woken: CampaignId[] = [];
  const listener = (wake: Wake): void => {
    if (wake.owner === owner) woken.push(wake.campaignId);
  };
  return { woken, stop: world.admission.onWake(listener) };
}
