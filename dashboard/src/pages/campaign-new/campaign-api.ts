import { queryOptions } from "@tanstack/react-query";
import type { DataOf, RouteAt } from "../../../../contract/asking.ts";
import { ApiFailure, get } from "../../api/request.ts";
import { post } from "../../api/typed.ts";
import { type Draft, settingsOf } from "./draft.ts";
import type { PreviewContact } from "./read-file.ts";

export type Assistant = {
  readonly id: string;
  readonly name: string;
  readonly publishedVersion: number | null;
};
export type PhoneNumber = {
  readonly id: string;
  readonly phoneNumber: string;
  readonly label: string | null;
  readonly active: boolean;
};

export const assistantsQuery = queryOptions({
  queryKey: ["assistants", "choice"],
  queryFn: ({ signal }) => get<readonly Assistant[]>("/api/v1/assistants?limit=200", signal),
});
export const phoneNumbersQuery = queryOptions({
  queryKey: ["phone-numbers", "choice"],
  queryFn: ({ signal }) => get<readonly PhoneNumber[]>("/api/v1/phone-numbers?limit=200", signal),
});
export const limitsQuery = queryOptions({
  queryKey: ["limits"],
  queryFn: ({ signal }) => get<{ readonly maxConcurrentCalls: number }>("/api/v1/limits", signal),
});
export const accountQuery = queryOptions({
  queryKey: ["account"],
  queryFn: ({ signal }) => get<{ readonly available: number }>("/api/v1/account", signal),
});

export type Preview = DataOf<RouteAt<"POST", "/api/v1/campaigns/preview">>;

export type PreviewRequest = {
  readonly greetingMessage?: string;
  readonly specialInstructions?: string;
  readonly assistantId?: string;
  readonly contacts: readonly PreviewContact[];
};

export const previewQuery = (body: PreviewRequest) =>
  queryOptions({
    queryKey: ["campaign-preview", body],
    queryFn: () => post("/api/v1/campaigns/preview", { body }),
    placeholderData: (before: Preview | undefined) => before,
  });

type Imported = DataOf<RouteAt<"POST", "/api/v1/campaigns/import">>;
export type ImportReport = Extract<Imported, { readonly totalContacts: number }>;

const IMPORT = "/api/v1/campaigns/import";

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
  const answer = await fetch(`${IMPORT}?dryRun=true&rejected=all`, {
    method: "POST",
    credentials: "same-origin",
    headers: { Accept: "text/csv" },
    body: formOf(draft),
  });
  if (answer.ok) return answer.blob();
  throw new ApiFailure(answer.status, "UNKNOWN", answer.statusText, answer.headers.get("X-Request-Id"));
}

/** A key for one attempt to create something. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
