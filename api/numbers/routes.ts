import { z } from "zod";
import { NUMBER_ROWS } from "../../application/ports/queries/number-records.ts";
import { callListRecord } from "../../contract/call.ts";
import { explanation } from "../../contract/campaign-story.ts";
import { contactStatus } from "../../contract/contact.ts";
import { answer, idOf, instant } from "../../contract/fields.ts";
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
import { awaitAside } from "../search/search-query.ts";

const LONGEST = 64;

const numberVerdict = explanation
  .extend({ contactId: idOf("ctc").nullable().describe("null: an import refused the number") })
  .meta({ id: "NumberVerdict", examples: [] });

const numberAnswer = z
  .object({
    phoneNumber: z.string(),
    suppression: z.object({ reason: z.string().nullable(), createdAt: instant }).nullable(),
    contacts: z.array(
      z.object({
        campaignId: idOf("cmp"),
        contactId: idOf("ctc"),
        name: z.string().nullable(),
        status: contactStatus,
      }),
    ),
    calls: z.array(callListRecord),
    verdicts: z.array(numberVerdict),
  })
  .meta({
    id: "NumberHistory",
    examples: [{ phoneNumber: "+905321112233", suppression: null, contacts: [], calls: [], verdicts: [] }],
  });

/** docs/api.md §8: the history of one number. */
export function registerNumbers(api: Api, deps: ApiDeps): void {
  const { queries, directory, clock } = deps;
  api.get(
    "/api/v1/numbers/:phoneNumber",
    {
      schema: {
        operationId: "getNumber",
        summary: "Why this number was, or was not, called",
        description:
          "Its entry of the do-not-call list, the contacts that have it, the calls to it, and for each contact why it is as it is now; newest first, at most 200 of each. Of a number that an import refused, as its file had it, a verdict tells; of each import the first 100 refused rows are known. A number that nobody knows has empty lists. Contacts and verdicts need the scope campaigns:read and are empty without it.",
        tags: ["history"],
        params: z.object({ phoneNumber: z.string() }),
        response: { 200: answer(numberAnswer) },
      },
      config: { scope: "calls:read" },
    },
    async (request, reply) => {
      const { owner, scopes } = callerOf(request);
      const number = numberOf(request.params.phoneNumber);
      const language = languageOf(request);
      await awaitAside(deps, request);
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
        suppression: entry === undefined ? null : { reason: entry.reason, createdAt: entry.createdAt },
        contacts,
        calls,
        verdicts: verdicts.map((verdict) => ({
          ...verdict,
          because: verdict.because.map((event) => ({ ...event, position: positionText(event.position) })),
        })),
      });
    },
  );
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
