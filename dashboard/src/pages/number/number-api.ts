import { queryOptions } from "@tanstack/react-query";
import type { STORY_STATUSES } from "../../../../client/story/fold-story.ts";
import { request } from "../../api/request.ts";
import type { CallRow } from "../../records/call.ts";

export type NumberHistory = {
  readonly phoneNumber: string;
  readonly suppression: { readonly reason: string | null; readonly createdAt: string } | null;
  readonly contacts: readonly {
    readonly campaignId: string;
    readonly contactId: string;
    readonly name: string | null;
    readonly status: (typeof STORY_STATUSES)[number];
  }[];
  readonly calls: readonly CallRow[];
  readonly verdicts: readonly {
    readonly campaignId: string;
    /** null: it was refused at its import, so there is no contact. */
    readonly contactId: string | null;
    readonly at: string;
    readonly verdict: string;
    readonly sentence: string;
    readonly until: string | null;
    readonly because: readonly { readonly position: string; readonly type: string; readonly at: string }[];
  }[];
};

export const NUMBER = "number";

/** In the reader's language, because the answer has sentences. */
export const numberQuery = (phoneNumber: string, language: string) =>
  queryOptions({
    queryKey: [NUMBER, phoneNumber, language],
    queryFn: async ({ signal }) => {
      const path = `/api/v1/numbers/${encodeURIComponent(phoneNumber)}`;
      const headers = { "Accept-Language": language };
      return (await request<NumberHistory>("GET", path, { signal, headers })).data;
    },
  });
