import { z } from "zod";
import {
  SEARCH_HITS,
  type SearchHit,
  type SearchKind,
} from "../../application/ports/queries/search-records.ts";
import { answer, idOf, instant, searchedText } from "../../contract/fields.ts";
import type { ApiKeyScope } from "../../contract/scopes.ts";
import { ANY_SCOPE, allows } from "../../contract/scopes.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { matcherOf, searchText } from "../../domain/shared/search-text.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { telling } from "../positions.ts";
import { awaitAside } from "./search-query.ts";

const hit = z
  .object({
    id: z.string(),
    title: z.string(),
    campaignId: idOf("cmp").optional(),
    at: instant,
  })
  .meta({ id: "SearchHit" });

const hits = z.array(hit);
const found = z
  .object({
    campaigns: hits,
    contacts: hits,
    calls: hits,
    assistants: hits,
    squads: hits,
    phoneNumbers: hits,
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

const SCOPES = {
  campaigns: "campaigns:read",
  contacts: "campaigns:read",
  calls: "calls:read",
  squads: "squads:read",
} as const satisfies Record<SearchKind, ApiKeyScope>;

/** docs/api.md §8. Every key may search; it finds what it may read. */
export function registerSearch(api: Api, deps: ApiDeps): void {
  api.get(
    "/api/v1/search",
    {
      schema: {
        operationId: "search",
        summary: "What has this name or number, newest first, at most 10 of a kind",
        description:
          "Digits match any part of a number, letters the beginning of a word of a name, whatever their case and marks. Kinds that the key may not read are empty. What was said is never searched. 503 while the index is built after an upgrade.",
        tags: ["history"],
        querystring: z.object({ q: searchedText }),
        response: { 200: answer(found) },
      },
      config: { scope: ANY_SCOPE },
    },
    async (request, reply) => {
      const { owner, scopes } = callerOf(request);
      await awaitAside(deps, request);
      const { q } = request.query;
      const kinds = new Set(
        (Object.keys(SCOPES) as SearchKind[]).filter((kind) => allows(scopes, SCOPES[kind])),
      );
      const found = await deps.queries.search(owner, q, kinds, telling(reply));
      return data({
        ...found,
        assistants: allows(scopes, "assistants:*") ? await assistantsNamed(deps, owner, q) : [],
        phoneNumbers: allows(scopes, "phone-numbers:*") ? await phoneNumbersNamed(deps, owner, q) : [],
      });
    },
  );
}

async function assistantsNamed(
  { configuration }: ApiDeps,
  owner: OwnerId,
  asked: string,
): Promise<readonly SearchHit[]> {
  const matches = byName(asked);
  return (await configuration.names.assistants(owner))
    .filter(({ name }) => matches(name))
    .slice(0, SEARCH_HITS)
    .map(({ id, name, createdAt }) => ({ id, title: name, at: createdAt }));
}

async function phoneNumbersNamed(
  { configuration }: ApiDeps,
  owner: OwnerId,
  asked: string,
): Promise<readonly SearchHit[]> {
  const matches = byName(asked);
  const text = searchText(asked);
  const hasNumber = matcherOf(text);
  return (await configuration.names.phoneNumbers(owner))
    .filter(
      ({ phoneNumber, label }) =>
        matches(label) || (text.kind === "digits" && hasNumber({ number: phoneNumber, name: label })),
    )
    .slice(0, SEARCH_HITS)
    .map(({ id, phoneNumber, label, createdAt }) => ({
      id,
      title: label === null ? phoneNumber : `${label} (${phoneNumber})`,
      at: createdAt,
    }));
}

/** For records known by their name, digits are also searched in the name. */
function byName(asked: string): (name: string | null) => boolean {
  const { text } = searchText(asked);
  if (text === "") return () => false;
  const matches = matcherOf({ kind: "words", text: ` ${text.trimStart()}` });
  return (name) => matches({ name, number: "" });
}
