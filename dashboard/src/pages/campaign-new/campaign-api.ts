import { queryOptions } from "@tanstack/react-query";
import type { BodyOf, DataOf, RouteAt } from "../../../../contract/asking.ts";
import { askBytes, get, post } from "../../api/request.ts";
import { ALL } from "../../records/use-list.ts";
import { type Draft, settingsOf } from "./draft.ts";
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

const IMPORT = "/api/v1/campaigns/import";
type Imported = DataOf<RouteAt<"POST", typeof IMPORT>>;
export type ImportReport = Extract<Imported, { readonly totalContacts: number }>;

function formOf(draft: Draft): FormData {
  const form = new FormData();
  form.set("settings", JSON.stringify(settingsOf(draft)));
  if (draft.file !== null) form.set("file", draft.file);
  return form;
}

/** Stores nothing. */
export async function tryImport(draft: Draft, signal: AbortSignal): Promise<ImportReport> {
  const tried = await post(IMPORT, { query: { dryRun: "true" }, raw: formOf(draft), signal });
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

/** A key for one attempt to create something. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
