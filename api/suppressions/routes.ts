import { REPORTED } from "../../application/campaign/screen-contacts.ts";
import {
  type SuppressionItem,
  type SuppressionReport,
  suppressionRoutes,
} from "../../contract/suppression.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { type PhoneNumber, parsePhoneNumber } from "../../domain/shared/phone-number.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { notFound } from "../errors.ts";
import { once } from "../idempotency.ts";
import { parseWhole } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import { listed } from "../records.ts";
import { of } from "../route.ts";

const suppressions = { list: "suppressions", parse: parseWhole };

/** The owner's do-not-call list (docs/api.md §3). */
export function registerSuppressions(api: Api, deps: ApiDeps): void {
  registerAddition(api, deps);
  registerReading(api, deps);
  registerDeletion(api, deps);
}

function registerAddition(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(suppressionRoutes.addSuppression),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: {},
        make: async () => {
          const { phoneNumber, reason = null, items = [] } = request.body;
          const { owner, actor } = callerOf(request);
          const made =
            phoneNumber === undefined
              ? await addMany(deps, owner, actor, items)
              : await deps.configuration.suppressions.add(owner, phoneNumber, reason, actor);
          await configurationWritten(deps, reply);
          return { status: made.created ? 201 : 200, body: data(made.value) };
        },
      }),
  });
}

function registerReading(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(suppressionRoutes.getSuppression),
    handler: async (request) => {
      const { owner } = callerOf(request);
      const number = listedNumber(request.params.phoneNumber);
      const found = await deps.configuration.suppressions.get(owner, number);
      if (found === null) throw neverListed();
      return data(found);
    },
  });
  api.route({
    ...of(suppressionRoutes.listSuppressions),
    handler: async (request) => {
      const { owner } = callerOf(request);
      const { phoneNumber, ...page } = request.query;
      const { suppressions: entries, suppressionLists } = deps.configuration;
      const answer = await listed(suppressions, page, (wanted) => entries.list(owner, wanted, phoneNumber));
      if (phoneNumber === undefined) return answer;
      return { ...answer, lists: await suppressionLists.holding(owner, phoneNumber) };
    },
  });
}

function registerDeletion(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(suppressionRoutes.deleteSuppression),
    handler: async (request, reply) => {
      const phoneNumber = listedNumber(request.params.phoneNumber);
      if (!(await deps.takeOff(callerOf(request), phoneNumber))) throw neverListed();
      await configurationWritten(deps, reply);
      return data({ phoneNumber, deleted: true as const });
    },
  });
}

/** What is no number was never listed. */
function listedNumber(text: string): PhoneNumber {
  const number = parsePhoneNumber(text);
  if (!number.ok) throw neverListed();
  return number.value;
}

const neverListed = () => notFound("SUPPRESSION_NOT_FOUND", "Suppression");

async function addMany(deps: ApiDeps, owner: OwnerId, by: string, items: Iterable<SuppressionItem>) {
  const { accepted, reasons, rejected } = screenItems(items);
  const added = await deps.configuration.suppressions.addAll(owner, reasons, by);
  return { created: added > 0, value: { added, existing: accepted - added, rejected } };
}

/** `accepted`: number of items with a valid number, repeats included; `reasons`: the first of each number. */
function screenItems(items: Iterable<SuppressionItem>) {
  const reasons = new Map<PhoneNumber, string | null>();
  const rejected: SuppressionReport["rejected"]["items"][number][] = [];
  let index = 0;
  for (const { phoneNumber, number, reason = null } of items) {
    if (!number.ok) rejected.push({ index, phoneNumber, reason: number.reason });
    else if (!reasons.has(number.value)) reasons.set(number.value, reason);
    index += 1;
  }
  return {
    accepted: index - rejected.length,
    reasons,
    rejected: { count: rejected.length, items: rejected.slice(0, REPORTED) },
  };
}
