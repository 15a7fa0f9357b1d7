import { z } from "zod";
import { answer, type DeepReadonly, idOf, instant, searchedText } from "./fields.ts";
import { routes } from "./route.ts";
import { ANY_SCOPE } from "./scopes.ts";

const hit = z
  .object({
    id: z.string().describe("Id of what was found"),
    title: z.string().describe("What a person knows it by: its name, its number, or both"),
    campaignId: idOf("cmp")
      .exactOptional()
      .describe("Of a contact, and of a call of a campaign: the campaign"),
    at: instant.describe("When it was made; ISO 8601, UTC"),
  })
  .meta({ id: "SearchHit" });
export type SearchHit = DeepReadonly<z.infer<typeof hit>>;

const hits = z.array(hit);
const found = z
  .object({
    campaigns: hits.describe("Campaigns with this name"),
    contacts: hits.describe("Contacts with this name or number"),
    calls: hits.describe("Calls to this number, or to a contact of this name"),
    assistants: hits.describe("Assistants with this name"),
    squads: hits.describe("Squads with this name"),
    phoneNumbers: hits.describe("Numbers to call from, with these digits or this label"),
  })
  .meta({
    id: "SearchAnswer",
    examples: [
      {
        campaigns: [],
        contacts: [
          {
            id: "ctc_01k4b2s9h3e8t9v0w1x2y3z4a5",
            title: "Ayşe Yılmaz (+905321112233)",
            campaignId: "cmp_01k4b2s9h3e8t9v0w1x2y3z4a5",
            at: "2026-09-01T10:00:00.000Z",
          },
        ],
        calls: [],
        assistants: [],
        squads: [],
        phoneNumbers: [],
      },
    ],
  });
export type SearchRecord = DeepReadonly<z.infer<typeof found>>;

export const searchRoutes = routes({
  search: {
    method: "GET",
    path: "/api/v1/search",
    tag: "history",
    summary: "What has this name or number, newest first, at most 10 of a kind",
    description:
      "Digits match any part of a number, letters the beginning of a word of a name, whatever their case and marks. Kinds that the key may not read are empty. What was said is never searched. 503 while the index is built after an upgrade.",
    scope: ANY_SCOPE,
    query: z.object({ q: searchedText }),
    answers: { 200: answer(found) },
  },
});
