import { queryOptions } from "@tanstack/react-query";
import type { BodyOf, DataOf, RouteAt } from "../../../../contract/asking.ts";
import type { ContactRecord } from "../../../../contract/contact.ts";
import { ApiFailure, askBytes, get, post } from "../../api/request.ts";
import { ALL } from "../../records/use-list.ts";
import { CONSENT_ROLES } from "./columns.ts";
import { type Draft, fileSettingsOf, settingsOf } from "./draft.ts";
import type { PreviewContact } from "./read-file.ts";

export const assistantsQuery = queryOptions({
  queryKey: ["assistants", "choice"],
  queryFn: ({ signal }) => get("/api/v1/assistants", { query: ALL, signal }),
});
export const phoneNumbersQuery = queryOptions({
  queryKey: ["phone-numbers", "choice"],
  queryFn: ({ signal }) => get("/api/v1/phone-numbers", { query: ALL, signal }),
});
export const limitsQuery = queryOptions({
  queryKey: ["limits"],
  queryFn: ({ signal }) => get("/api/v1/limits", { signal }),
});
export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => get("/api/v1/account", { signal }),
});

const PREVIEW = "/api/v1/campaigns/preview";
export type Preview = DataOf<RouteAt<"POST", typeof PREVIEW>>;

export type PreviewRequest = Omit<BodyOf<RouteAt<"POST", typeof PREVIEW>>, "contacts"> & {
  readonly contacts: readonly PreviewContact[];
};

export const previewQuery = (body: PreviewRequest) =>
  queryOptions({
    queryKey: ["campaign-preview", body],
    queryFn: () => post(PREVIEW, { body }),
    placeholderData: (before: Preview | undefined) => before,
  });

/** Hours and credits of a campaign of so many people. */
export const estimateQuery = (people: number, calling: Readonly<Record<string, unknown>>) =>
  queryOptions({
    queryKey: ["campaign-estimate", people, calling],
    queryFn: ({ signal }) => post(PREVIEW, { body: estimateBody(people, calling), signal }),
  });

const PACE_FIELDS = new Set([
  "maxConcurrentCalls",
  "maxCallsPerSecond",
  "timezone",
  "callWindowStart",
  "callWindowStartMinute",
  "callWindowEnd",
  "callWindowEndMinute",
  "callWindowDays",
  "callWindowExcludedDates",
  "startAt",
]);

function estimateBody(
  contactCount: number,
  calling: Readonly<Record<string, unknown>>,
): BodyOf<RouteAt<"POST", typeof PREVIEW>> {
  const pace = Object.entries(calling).filter(([name]) => PACE_FIELDS.has(name));
  return { contacts: [], contactCount, ...Object.fromEntries(pace.map(([name, value]) => [name, value])) };
}

const IMPORT = "/api/v1/campaigns/import";
type Imported = DataOf<RouteAt<"POST", typeof IMPORT>>;
export type ImportReport = Extract<Imported, { readonly totalContacts: number }>;

function formOf(draft: Draft, settings = settingsOf(draft)): FormData {
  const form = new FormData();
  form.set("settings", JSON.stringify(settings));
  if (draft.file !== null) form.set("file", draft.file);
  return form;
}

/** Stores nothing. */
export const tryImport = (draft: Draft, signal: AbortSignal) => tried(formOf(draft), signal);

/** The same of the file alone: what later steps ask for need not be there yet. */
export const tryFile = (draft: Draft) =>
  tried(formOf(draft, { ...fileSettingsOf(draft), name: draft.name.trim() || "-" }));

async function tried(raw: FormData, signal?: AbortSignal): Promise<ImportReport> {
  const asked = { query: { dryRun: "true" }, raw, ...(signal === undefined ? {} : { signal }) } as const;
  const tried = await post(IMPORT, asked);
  if ("totalContacts" in tried) return tried;
  throw new Error("a trial made a campaign");
}

/** A repeat with the same key creates no second campaign. */
export async function createCampaign(draft: Draft, key: string): Promise<string> {
  const made = await post(IMPORT, { raw: formOf(draft), headers: { "Idempotency-Key": key } });
  if ("campaign" in made) return made.campaign.id;
  throw new Error("an import was only tried");
}

export const startCampaign = (id: string) => post("/api/v1/campaigns/:id/start", { params: { id } });

/** All rejected rows as a file. */
export async function rejectedRows(draft: Draft): Promise<Blob> {
  const query = { dryRun: "true", rejected: "all" } as const;
  const answer = await askBytes("POST", IMPORT, {
    query,
    raw: formOf(draft),
    headers: { Accept: "text/csv" },
  });
  return answer.blob();
}

export function isTooMany(error: unknown): boolean {
  return error instanceof ApiFailure && error.details.some(({ message }) => message.includes("10,000"));
}

/** Every person of a campaign, as a file that a new one takes. */
export async function peopleFile(id: string, name: string, signal: AbortSignal): Promise<File> {
  const people: ContactRecord[] = [];
  for (let from = 0; ; from += PAGE) {
    const query = { from, limit: PAGE };
    const page = await get("/api/v1/campaigns/:id/contacts", { params: { id }, query, signal });
    people.push(...page);
    if (page.length < PAGE) return new File([csvOf(people)], `${name}.csv`, { type: "text/csv" });
  }
}

const PAGE = 1_000;

function csvOf(people: readonly ContactRecord[]): string {
  const keys = new Set(people.flatMap(({ customData }) => Object.keys(customData)));
  // The column of a file that was one of these is among the values, too.
  for (const name of OWN_COLUMNS) keys.delete(name);
  const header = [...OWN_COLUMNS, ...keys];
  const rows = people.map((person) => {
    const own = ownCellsOf(person);
    return header.map((name) => cellOf(own[name] ?? person.customData[name])).join(",");
  });
  return [header.map(cellOf).join(","), ...rows].join("\n");
}

const OWN_COLUMNS = ["phone", "name", "timezone", "externalId", ...CONSENT_ROLES];

/** By column; a consent whose words were erased is none any more. */
function ownCellsOf(person: ContactRecord): Readonly<Record<string, unknown>> {
  const { phoneNumber: phone, name, timezone, externalId, consent } = person;
  const { source, at, expiresAt, reference } = consent?.source == null ? NO_CONSENT : consent;
  return {
    ...{ phone, name, timezone, externalId, consentSource: source, consentAt: at },
    ...{ consentExpiresAt: expiresAt, consentReference: reference },
  };
}

const NO_CONSENT = { source: null, at: null, expiresAt: null, reference: null };

const cellOf = (value: unknown): string => {
  const text =
    typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
  return `"${text.replaceAll('"', '""')}"`;
};

/** A key for one attempt to create something. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
