import { NUMBER_ROWS } from "../../application/ports/queries/number-records.ts";
import { numberRoutes } from "../../contract/number.ts";
import { allows } from "../../contract/scopes.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { type PhoneNumber, parsePhoneNumber } from "../../domain/shared/phone-number.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { validationError } from "../errors.ts";
import { languageOf } from "../language.ts";
import { positionText, telling } from "../positions.ts";
import { of } from "../route.ts";
import { awaitBackground } from "../search/search-query.ts";

const LONGEST = 64;

/** docs/api.md §8: the history of one number. */
export function registerNumbers(api: Api, deps: ApiDeps): void {
  const { queries, directory, clock } = deps;
  api.route({
    ...of(numberRoutes.getNumber),
    handler: async (request, reply) => {
      const { owner, scopes } = callerOf(request);
      const number = numberOf(request.params.phoneNumber);
      const language = languageOf(request);
      await awaitBackground(deps, request);
      const parsed = parsePhoneNumber(number);
      const heard = telling(reply);
      const calls = parsed.ok ? await callsTo(deps, owner, parsed.value) : [];
      const entry = parsed.ok
        ? (await directory.suppressions(owner, [parsed.value])).get(parsed.value)
        : undefined;
      const question = { number, at: clock.now(), language };
      const { contacts, verdicts } = allows(scopes, "campaigns:read")
        ? await queries.numberHistory(owner, question, heard)
        : { contacts: [], verdicts: [] };
      reply.header("Content-Language", language).header("Vary", "Accept-Language");
      return data({
        phoneNumber: number,
        suppression:
          entry === undefined
            ? null
            : {
                ...{ reason: entry.reason, createdAt: entry.createdAt, callId: entry.callId ?? null },
                ...(entry.list === undefined ? {} : { list: entry.list }),
              },
        contacts,
        calls,
        verdicts: verdicts.map((verdict) => ({
          ...verdict,
          because: verdict.because.map((event) => ({ ...event, position: positionText(event.position) })),
        })),
      });
    },
  });
}

async function callsTo({ queries }: ApiDeps, owner: OwnerId, to: PhoneNumber) {
  const { rows } = await queries.calls(owner, { to }, { limit: NUMBER_ROWS, after: null });
  return rows;
}

function numberOf(text: string): string {
  const number = text.trim();
  if (number !== "" && number.length <= LONGEST) return number;
  throw validationError("The request", [
    { path: ["phoneNumber"], message: `Must have 1 to ${LONGEST} characters` },
  ]);
}
