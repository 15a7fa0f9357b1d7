import { queryOptions } from "@tanstack/react-query";
import { ApiFailure, get, post, request } from "../../api/request.ts";
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

export type Warning = { readonly code: string; readonly message: string; readonly count?: number };
export type Preview = {
  readonly items: readonly {
    readonly greetingMessage: string | null;
    readonly specialInstructions: string | null;
    readonly reason?: string;
  }[];
  readonly warnings: readonly Warning[];
};

export type PreviewRequest = {
  readonly greetingMessage?: string;
  readonly specialInstructions?: string;
  readonly assistantId?: string;
  readonly contacts: readonly PreviewContact[];
};

export const previewQuery = (body: PreviewRequest) =>
  queryOptions({
    queryKey: ["campaign-preview", body],
    queryFn: () => post<Preview>("/api/v1/campaigns/preview", body),
    placeholderData: (before: Preview | undefined) => before,
  });

export type ImportReport = {
  readonly totalContacts: number;
  readonly rejectedContacts: {
    readonly count: number;
    readonly items: readonly {
      readonly index: number;
      readonly line?: number;
      readonly phoneNumber: string | null;
      readonly reason: string;
    }[];
  };
  readonly duplicateContacts: { readonly count: number };
  readonly normalized: {
    readonly count: number;
    readonly items: readonly { readonly line: number; readonly from: string; readonly to: string }[];
  };
  readonly warnings: readonly Warning[];
};

const IMPORT = "/api/v1/campaigns/import";

function formOf(draft: Draft): FormData {
  const form = new FormData();
  form.set("settings", JSON.stringify(settingsOf(draft)));
  if (draft.file !== null) form.set("file", draft.file);
  return form;
}

/** Stores nothing. */
export const tryImport = async (draft: Draft, signal: AbortSignal): Promise<ImportReport> =>
  (await request<ImportReport>("POST", `${IMPORT}?dryRun=true`, { raw: formOf(draft), signal })).data;

/** A repeat with the same key creates no second campaign. */
export async function createCampaign(draft: Draft, key: string): Promise<string> {
  const headers = { "Idempotency-Key": key };
  const made = await request<{ readonly campaign: { readonly id: string } }>("POST", IMPORT, {
    raw: formOf(draft),
    headers,
  });
  return made.data.campaign.id;
}

export const startCampaign = (id: string): Promise<unknown> => post(`/api/v1/campaigns/${id}/start`);

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
