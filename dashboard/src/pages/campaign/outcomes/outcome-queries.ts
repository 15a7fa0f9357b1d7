import { queryOptions } from "@tanstack/react-query";
import { get } from "../../../api/request.ts";
import type { ContactBrought } from "./wanted.ts";

const PAGE = 1_000;

/** What calls brought home by `at`; undefined: nobody asks. */
export const outcomesQuery = (id: string, at: string | undefined) =>
  queryOptions({
    queryKey: ["campaign", id, "outcomes", at],
    queryFn: async ({ signal }) => {
      const asked = { params: { id }, query: { at }, signal };
      return (await get("/api/v1/campaigns/:id/statistics", asked)).outcomes ?? null;
    },
    enabled: at !== undefined,
  });

/** The key of what each contact brought home, at every moment. */
export const contactOutcomesKey = (id: string) => ["campaign", id, "contact outcomes"] as const;

/** What each of `count` contacts brought home by `at`, by id; undefined: now. */
export const contactOutcomesQuery = (id: string, at: string | undefined, count: number) =>
  queryOptions({
    queryKey: [...contactOutcomesKey(id), at, count],
    queryFn: async ({ signal }) => {
      const found = new Map<string, ContactBrought>();
      for (let from = 0; from < count; from += PAGE) {
        const query = { from, limit: PAGE, at };
        const rows = await get("/api/v1/campaigns/:id/contacts", { params: { id }, query, signal });
        for (const { id: contactId, outcome, attempts } of rows) {
          const answered = attempts.findLast(({ durationSeconds }) => durationSeconds !== null);
          if (outcome !== null && answered !== undefined)
            found.set(contactId, { ...outcome, callId: answered.callId });
        }
      }
      return found;
    },
    enabled: count > 0,
    structuralSharing: false,
    refetchOnWindowFocus: false,
  });
