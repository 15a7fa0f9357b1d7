import { SEARCH_HITS, type SearchKind } from "../../application/ports/queries/search-records.ts";
import { type ApiKeyScope, allows } from "../../contract/scopes.ts";
import { type SearchHit, searchRoutes } from "../../contract/search.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { matcherOf, searchText } from "../../domain/shared/search-text.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { telling } from "../positions.ts";
import { of } from "../route.ts";
import { awaitBackground } from "./search-query.ts";

const SCOPES = {
  campaigns: "campaigns:read",
  contacts: "campaigns:read",
  calls: "calls:read",
  squads: "squads:read",
} as const satisfies Record<SearchKind, ApiKeyScope>;

/** docs/api.md §8. Every key may search; it finds what it may read. */
export function registerSearch(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(searchRoutes.search),
    handler: async (request, reply) => {
      const { owner, scopes } = callerOf(request);
      await awaitBackground(deps, request);
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
  });
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
