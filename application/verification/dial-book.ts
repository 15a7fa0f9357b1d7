import type { CallCompleted, CallDialingBegan, CallFailed, CallRequested } from "../../domain/call/events.ts";
import type { ContactDialed } from "../../domain/campaign/events.ts";
import { countriesOf } from "../../domain/policy/number-countries.ts";
import type { ZoneEvidence } from "../../domain/policy/policy.ts";
import type { CallId, CampaignId, ContactId, OwnerId } from "../../domain/shared/ids.ts";
import { millisOf } from "../../domain/shared/instant.ts";
import type { PhoneNumber } from "../../domain/shared/phone-number.ts";
import { ZONE_DATA } from "../../domain/shared/zones-of-countries.ts";
import type { StoredEvent } from "../ports/event-store.ts";
import { column, names, texts } from "./columns.ts";

/** From the admission to the event that follows it: without evidence a dial was judged so much earlier. */
export const LONGEST_WRITING_MILLIS = 60_000;

/** What is known of a dial, as bits. */
export const DIAL = {
  began: 1,
  ended: 2,
  /** Nobody was rung for certain. */
  undialled: 4,
  /** Its evidence says when it was judged. */
  judged: 8,
  /** Whether the person has a zone of its own is known; else both are possible. */
  zoneTold: 16,
  /** Its zones were found with the data of this release. */
  sameData: 32,
  consentTold: 64,
} as const;

/** Every dial of a log in columns, some 160 bytes each: by row, in the order of the log. */
export type DialBook = ReturnType<typeof createDialBook>;

const ID_LENGTH = 26;
const NO_OFFSET = -32_768;

/** Times are epoch milliseconds. */
function dialColumns() {
  return {
    owner: column(Uint32Array),
    /** The digits of E.164. */
    number: column(Float64Array),
    /** When it was judged, at the earliest. */
    judged: column(Float64Array),
    /** Milliseconds from then until nobody may dial it any more. */
    dialBy: column(Int32Array),
    /** Campaign by its number in `campaigns`, counted from 1; 0: a single call. */
    campaign: column(Uint32Array),
    revision: column(Uint32Array),
    /** When its event was told. */
    at: column(Float64Array),
    place: column(Uint32Array),
    endPlace: column(Uint32Array),
    flags: column(Uint8Array),
    policyVersion: column(Uint32Array),
    /** Zone that the person may have of its own, by its number in `zones`, counted from 1; 0: none. */
    zone: column(Uint32Array),
    /** Minutes from UTC where it was earliest and latest; NO_OFFSET: not told. */
    earliest: column(Int16Array),
    latest: column(Int16Array),
    /** Of the consent that was told: NaN none; when it ends: Infinity never. */
    consentAt: column(Float64Array),
    consentUntil: column(Float64Array),
    /** When the owner's address was asked; NaN: it was not. */
    askedAt: column(Float64Array),
    callId: texts(ID_LENGTH),
    contactId: texts(ID_LENGTH),
  };
}

type Names = { readonly [Name in "owners" | "campaigns" | "zones"]: ReturnType<typeof names> };
type Columns = ReturnType<typeof dialColumns>;

/** `tzdata`: of this machine, by which zones are judged. */
export function createDialBook(tzdata: string) {
  const columns = dialColumns();
  const known: Names = { owners: names(), campaigns: names(), zones: names() };
  const open = new Map<string, number>();
  const ours = `${ZONE_DATA}/${tzdata}`;
  let rows = 0;
  let place = 0;
  const add = (dial: Dial, event: StoredEvent): void => {
    writeRow(columns, known, rows, dial, event);
    columns.place.set(rows, place);
    columns.flags.set(rows, flagsOf(dial, ours));
    open.set(dial.callId, rows);
    rows += 1;
  };
  const note = (callId: CallId, flag: number): void => {
    const row = open.get(callId);
    if (row === undefined) return;
    columns.flags.set(row, columns.flags.get(row) | flag);
    if ((flag & DIAL.ended) === 0) return;
    columns.endPlace.set(row, place);
    open.delete(callId);
  };
  return {
    ...{ columns, dials: () => rows },
    ...rowsOf(columns, known),
    /** Takes what says that somebody is dialled, or how that went; every other event is nothing to it. */
    read: (event: StoredEvent): void => {
      place += 1;
      if (event.type === "ContactDialed") add(ofContact(event), event);
      else if (event.type === "CallRequested") {
        const request = dataOf<CallRequested>(event);
        if (request.contactId === null) add(ofSingleCall(request), event);
      } else if (event.type === "CallDialingBegan") note(dataOf<CallDialingBegan>(event).callId, DIAL.began);
      else if (event.type === "CallCompleted" || event.type === "CallFailed") {
        const { callId, endReason } = dataOf<CallCompleted | CallFailed>(event);
        note(callId, DIAL.ended | (endReason === "not_placed" ? DIAL.undialled : 0));
      }
    },
  };
}

function writeRow(
  columns: Columns,
  { owners, campaigns, zones }: Names,
  row: number,
  dial: Dial,
  { metadata, revision }: StoredEvent,
): void {
  const { evidence, campaignId, contactId } = dial;
  const judgedAt = evidence?.judgedAt;
  const at = timeOf(millisOf(dial.at));
  const judged = judgedAt === undefined ? at - LONGEST_WRITING_MILLIS : millisOf(judgedAt);
  columns.owner.set(row, owners.numberOf(metadata.owner));
  columns.number.set(row, digitsOf(dial.phoneNumber));
  columns.judged.set(row, timeOf(judged));
  columns.dialBy.set(row, timeOf(millisOf(dial.dialBy)) - judged);
  columns.campaign.set(row, campaignId === null ? 0 : campaigns.numberOf(campaignId) + 1);
  columns.revision.set(row, revision);
  columns.at.set(row, at);
  columns.policyVersion.set(row, evidence?.policyVersion ?? 0);
  columns.callId.set(row, suffixOf(dial.callId));
  columns.contactId.set(row, contactId === null ? "" : suffixOf(contactId));
  const { own } = zoneOf(dial);
  columns.zone.set(row, own === null ? 0 : zones.numberOf(own) + 1);
  const [earliest, latest] = evidence?.zones?.local ?? [];
  columns.earliest.set(row, offsetOf(earliest));
  columns.latest.set(row, offsetOf(latest));
  const consent = consentOf(dial);
  columns.consentAt.set(row, consent?.at ?? Number.NaN);
  columns.consentUntil.set(row, consent?.until ?? Number.POSITIVE_INFINITY);
  const asked = evidence?.eligibility?.askedAt;
  columns.askedAt.set(row, asked === undefined ? Number.NaN : millisOf(asked));
}

function flagsOf(dial: Dial, ourData: string): number {
  const { evidence } = dial;
  return (
    (evidence?.judgedAt === undefined ? 0 : DIAL.judged) |
    (zoneOf(dial).isTold ? DIAL.zoneTold : 0) |
    ((evidence?.zones?.data ?? ourData) === ourData ? DIAL.sameData : 0) |
    (consentOf(dial) === null ? 0 : DIAL.consentTold)
  );
}

/** What a row says, as it was told. */
function rowsOf(columns: Columns, { owners, campaigns, zones }: Names) {
  const nameIn = (all: ReturnType<typeof names>, number: number) =>
    number === 0 ? null : all.text(number - 1);
  return {
    owner: (row: number) => owners.text(columns.owner.get(row)) as OwnerId,
    ownZone: (row: number) => nameIn(zones, columns.zone.get(row)),
    /** Local times of its evidence, as milliseconds from UTC; null: it tells none. */
    offsets: (row: number): readonly number[] | null =>
      columns.earliest.get(row) === NO_OFFSET
        ? null
        : [columns.earliest.get(row) * 60_000, columns.latest.get(row) * 60_000],
    callId: (row: number): CallId => `call_${columns.callId.get(row)}`,
    phoneNumber: (row: number): PhoneNumber => phoneNumberOf(columns.number.get(row)),
    contactId: (row: number): ContactId | null =>
      columns.campaign.get(row) === 0 ? null : `ctc_${columns.contactId.get(row)}`,
    campaignId: (row: number) => nameIn(campaigns, columns.campaign.get(row)) as CampaignId | null,
    /** Somebody was rung: it counts, and is judged. */
    isDialled: (row: number): boolean =>
      (columns.flags.get(row) & (DIAL.began | DIAL.undialled)) === DIAL.began,
    has: (row: number, flag: number): boolean => (columns.flags.get(row) & flag) !== 0,
  };
}

type Evidence = Partial<NonNullable<CallRequested["data"]["evidence"]>>;

type Dial = Pick<ContactDialed["data"], "callId" | "phoneNumber" | "at" | "dialBy"> & {
  readonly campaignId: CampaignId | null;
  readonly contactId: ContactId | null;
  /** Zone in which a contact's window was judged; of a single call its person's, null: none was given. */
  readonly timezone: string | null;
  readonly evidence: Evidence | null;
  readonly consent: CallRequested["data"]["consent"];
};

function ofContact(event: StoredEvent): Dial {
  const data = dataOf<ContactDialed>(event);
  return { ...data, timezone: data.evidence.timezone, consent: undefined };
}

function ofSingleCall({ to: phoneNumber, ...request }: CallRequested["data"]): Dial {
  const { callId, at, dialBy, timezone, evidence, consent } = request;
  return {
    ...{ campaignId: null, contactId: null, callId, phoneNumber, at, dialBy, consent },
    timezone: timezone ?? null,
    evidence: evidence ?? null,
  };
}

/** The stored form, which was checked when it was written; what this folder reads of it has one version. */
function dataOf<Event extends { readonly data: object }>({ data }: StoredEvent): Event["data"] {
  return data as Event["data"];
}

/** Whether the person has a zone of its own: the contacts, who say it, are sealed. */
function zoneOf(dial: Dial): { readonly own: string | null; readonly isTold: boolean } {
  const { timezone, evidence, phoneNumber } = dial;
  if (dial.contactId === null) return { own: timezone, isTold: true };
  const told: ZoneEvidence | null = evidence?.zones ?? null;
  if (told === null) return { own: timezone, isTold: false };
  if (told.country !== null) return { own: null, isTold: true };
  const { country, possible } = countriesOf(phoneNumber);
  return { own: timezone, isTold: country !== null || possible.length === 0 };
}

/** null: nothing tells whether there was any. */
function consentOf({ evidence, consent }: Dial): { readonly at: number; readonly until: number } | null {
  const until = (expiresAt: unknown) =>
    typeof expiresAt === "string" ? Date.parse(expiresAt) : Number.POSITIVE_INFINITY;
  if (consent !== undefined) return { at: millisOf(consent.at), until: until(consent.expiresAt) };
  const check = evidence?.checks?.find(({ rule }) => rule === "consent");
  if (check === undefined) return null;
  const at = typeof check.value === "string" ? Date.parse(check.value) : Number.NaN;
  return { at, until: until(check.limit) };
}

function timeOf(millis: number): number {
  if (Number.isNaN(millis)) throw new Error("a time cannot be read");
  return millis;
}

function digitsOf(phoneNumber: PhoneNumber): number {
  const digits = Number(phoneNumber.slice(1));
  if (!Number.isSafeInteger(digits)) throw new Error("a number cannot be read");
  return digits;
}

export function phoneNumberOf(digits: number): PhoneNumber {
  return `+${digits}` as PhoneNumber;
}

function suffixOf(id: string): string {
  const suffix = id.slice(id.indexOf("_") + 1);
  if (suffix.length > ID_LENGTH) throw new Error(`${id} is too long for an id`);
  return suffix;
}

/** Minutes of the `-05:00` at the end of a local time. */
function offsetOf(local: string | undefined): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(local ?? "") ?? [];
  if (sign === undefined) return NO_OFFSET;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
