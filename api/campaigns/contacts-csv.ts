import type { Page } from "../../application/ports/queries/pages.ts";
import type { ContactFilter, Queries } from "../../application/ports/queries.ts";
import type { ContactRecord } from "../../contract/contact.ts";
import type { OutcomeValue } from "../../domain/call/events.ts";
import { creditsToUnits, unitsToCredits } from "../../domain/shared/credits.ts";
import type { CampaignId, OwnerId } from "../../domain/shared/ids.ts";
import { jsonCell, textCell } from "./formula-guard.ts";

/** A contact may have 16 KiB: what an export holds while its reader takes nothing. */
export const EXPORTED_AT_ONCE = 50;
const COLUMNS = [
  "id",
  "phoneNumber",
  "name",
  "timezone",
  "externalId",
  "status",
  "attempts",
  "lastCallId",
  "lastEndReason",
  "durationSeconds",
  "cost",
  "nextAttemptAt",
  "nextAttemptCause",
  "callbackAt",
  "optedOut",
  "holdRule",
  "heldUntil",
  "skipReason",
  "consentSource",
  "consentAt",
  "consentExpiresAt",
  "consentReference",
  "createdAt",
  "customData",
  "success",
];

export type ContactsExport = {
  readonly owner: OwnerId;
  readonly id: CampaignId;
  readonly filter: Omit<ContactFilter, keyof Brought>;
  /** What rows must have brought home. They say so: a search by index would be one for each page. */
  readonly wanted: Brought;
  readonly first: Page<ContactRecord, number>;
  /** Of the fields that have a column each. */
  readonly outcomeNames: readonly string[];
};

type Brought = Pick<ContactFilter, "success" | "outcome">;

/** Page by page as the reader takes them, so that memory does not depend on the length. */
export async function* contactsCsv(
  queries: Pick<Queries, "contacts">,
  { owner, id, filter, wanted, first, outcomeNames }: ContactsExport,
): AsyncGenerator<string, void> {
  yield `${[...COLUMNS, ...outcomeNames.map((name) => `outcome_${name}`)].join(",")}\n`;
  let page: Page<ContactRecord, number> | null = first;
  while (page !== null) {
    const rows = page.rows.filter((row) => isWanted(row, wanted));
    if (rows.length > 0) yield rows.map((row) => `${rowOf(row, outcomeNames).join(",")}\n`).join("");
    const after: number | null = page.next;
    page =
      after === null ? null : await queries.contacts(owner, id, filter, { limit: EXPORTED_AT_ONCE, after });
  }
}

function isWanted({ outcome: brought }: ContactRecord, wanted: Brought): boolean {
  const { outcome = [], success = brought?.success } = wanted;
  return (
    brought?.success === success &&
    outcome.every(({ name, value }) => {
      const own = brought?.fields[name];
      return own !== undefined && String(own) === value;
    })
  );
}

/** Cells as they stand in the file; those that are not texts of people need no quotes. */
function rowOf(contact: ContactRecord, outcomeNames: readonly string[]): readonly string[] {
  const last = contact.attempts.at(-1);
  const ended = contact.attempts.filter(({ endedAt }) => endedAt !== null);
  return [
    contact.id,
    contact.phoneNumber,
    textCell(contact.name ?? ""),
    contact.timezone ?? "",
    textCell(contact.externalId ?? ""),
    contact.status,
    String(contact.attempts.length),
    last?.callId ?? "",
    last?.endReason ?? "",
    textOf(ended.at(-1)?.durationSeconds ?? null),
    textOf(totalCost(ended)),
    contact.nextAttemptAt ?? "",
    contact.nextAttemptCause ?? "",
    contact.callbackAt ?? "",
    String(contact.optedOut),
    contact.hold?.rule ?? "",
    contact.hold?.until ?? "",
    contact.skipReason ?? "",
    textCell(contact.consent?.source ?? ""),
    contact.consent?.at ?? "",
    contact.consent?.expiresAt ?? "",
    textCell(contact.consent?.reference ?? ""),
    contact.createdAt,
    jsonCell(JSON.stringify(contact.customData)),
    String(contact.outcome?.success ?? ""),
    ...outcomeNames.map((name) => outcomeCell(contact.outcome?.fields[name] ?? null)),
  ];
}

/** Credits of all ended attempts; null if one of them is not known. */
function totalCost(ended: ContactRecord["attempts"]): number | null {
  let units = 0;
  for (const { cost } of ended) {
    if (cost === null) return null;
    units += creditsToUnits(cost);
  }
  return unitsToCredits(units);
}

function outcomeCell(value: OutcomeValue): string {
  return typeof value === "string" ? textCell(value) : String(value ?? "");
}

function textOf(value: number | null): string {
  return value === null ? "" : String(value);
}
