import type { FastifyReply, FastifyRequest } from "fastify";
import type {
  CampaignCreatedAnswer,
  CreateCampaignRequest,
} from "../../application/campaign/create-campaign.ts";
import type { ContactInput } from "../../application/campaign/screen-contacts.ts";
import { campaignImportRoutes as routes } from "../../contract/campaign-import.ts";
import type { CampaignRequest } from "../../contract/campaign-settings.ts";
import type { ContactRequest } from "../../contract/contact.ts";
import { type WindowFields, windowOf } from "../../domain/campaign/window/window-fields.ts";
import type { ImportId } from "../../domain/shared/ids.ts";
import { type Instant, parseInstant } from "../../domain/shared/instant.ts";
import type { JsonObject } from "../../domain/shared/json.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { concurrencyOf } from "../concurrency.ts";
import type { ApiDeps } from "../deps.ts";
import { refusalError } from "../errors.ts";
import { once } from "../idempotency.ts";
import { parseId, pathId } from "../ids.ts";
import { readYourOwnWrite } from "../positions.ts";
import { of } from "../route.ts";
import { withAskedAddress } from "../url-problems.ts";
import { campaignAfterWrite } from "./answers.ts";

const PREVIEWS_AT_ONCE = 4;

export function registerCreation(api: Api, deps: ApiDeps): void {
  registerCreate(api, deps);
  registerAdd(api, deps);
  registerPreview(api, deps);
}

function registerCreate(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.createCampaign),
    handler: (request, reply) => {
      const { contacts, ...settings } = request.body;
      const input = { ...campaignInput(settings), contacts: contactInputs(contacts), refusedRows: [] };
      return createOnce(deps, request, reply, input, () => ({}));
    },
  });
}

function registerAdd(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.addContacts),
    handler: (request, reply) =>
      once(deps, request, reply, {
        ids: { importId: deps.ids.next("imp"), givenAt: deps.clock.now() },
        make: async (made, reserved) => {
          const caller = callerOf(request);
          const id = pathId("cmp", request.params.id);
          const importId: ImportId | null = reserved ? parseId("imp", String(made["importId"])) : null;
          const added = await deps.useCases.addContacts(caller, id, {
            reservedImportId: importId,
            contacts: contactInputs(request.body.contacts),
            refusedRows: [],
            skipDuplicates: request.body.skipDuplicates ?? false,
            ...givenAt(made),
          });
          if (!added.ok) throw refusalError(added.refusal);
          const caughtUp = await readYourOwnWrite(deps, reply, added.position);
          const { rejectedContacts, warnings } = added.value;
          const after = await campaignAfterWrite(deps, caller.owner, id, caughtUp);
          return { status: 200, body: data({ ...after, rejectedContacts, warnings }) };
        },
      }),
  });
}

function registerPreview(api: Api, { useCases }: ApiDeps): void {
  const enter = concurrencyOf(PREVIEWS_AT_ONCE, "previews of this owner");
  api.route({
    ...of(routes.previewCampaign),
    handler: async (request) => {
      const caller = callerOf(request);
      const leave = enter(caller.owner);
      try {
        const { greetingMessage, specialInstructions, assistantId, contacts } = request.body;
        const previewed = await useCases.previewTexts(caller, {
          greetingMessage: greetingMessage ?? null,
          specialInstructions: specialInstructions ?? null,
          assistantId: assistantId ?? null,
          contacts: contacts.map(({ name, customData }) => ({
            name: name ?? null,
            customData: customData ?? {},
          })),
          planned: plannedCampaign(request.body),
        });
        if (!previewed.ok) throw refusalError(previewed.refusal);
        return data(previewed.value);
      } finally {
        leave();
      }
    },
  });
}

/** null: the body does not say how many contacts it would have. */
function plannedCampaign(
  body: Pick<CampaignRequest, "maxConcurrentCalls" | "maxCallsPerSecond" | "timezone" | "startAt"> &
    WindowFields & { readonly contactCount?: number | undefined },
) {
  const { contactCount, maxConcurrentCalls, maxCallsPerSecond, timezone, startAt } = body;
  if (contactCount === undefined) return null;
  return {
    contacts: contactCount,
    maxConcurrentCalls: maxConcurrentCalls ?? null,
    maxCallsPerSecond: maxCallsPerSecond ?? null,
    timezone: timezone ?? null,
    window: windowOf(body),
    startAt: startAt ?? null,
  };
}

/** What a body says of the campaign itself. */
export function campaignInput<Body extends CampaignRequest & WindowFields>(body: Body) {
  return { ...body, skipDuplicates: body.skipDuplicates ?? false, window: windowOf(body) };
}

/** Can be iterated as often as the bodies. */
function contactInputs(bodies: Iterable<ContactRequest>): Iterable<ContactInput> {
  return {
    *[Symbol.iterator]() {
      let index = 0;
      for (const { phoneNumber, number, name, customData, timezone, externalId, consent } of bodies) {
        yield {
          index,
          phoneNumber,
          number,
          name: name ?? null,
          customData: customData ?? {},
          timezone: timezone ?? null,
          externalId: externalId ?? null,
          ...(consent == null ? {} : { consent }),
        };
        index += 1;
      }
    },
  };
}

/** Kept with an Idempotency-Key; a key of an older release has none. */
function givenAt({ givenAt: at }: JsonObject): { readonly givenAt?: Instant } {
  const known = typeof at === "string" ? parseInstant(at) : null;
  return known === null ? {} : { givenAt: known };
}

/** POST /campaigns and /campaigns/import: the same answer, with `more` for the latter. */
export function createOnce<More extends object>(
  deps: ApiDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  input: Omit<CreateCampaignRequest, "reservedCampaignId">,
  more: (created: CampaignCreatedAnswer) => More,
) {
  return once(deps, request, reply, {
    ids: { campaignId: deps.ids.next("cmp"), givenAt: deps.clock.now() },
    make: async (made, reserved) => {
      const caller = callerOf(request);
      const reservedCampaignId = reserved ? parseId("cmp", String(made["campaignId"])) : null;
      const first = { reservedCampaignId, ...givenAt(made) };
      const checked = await withAskedAddress(deps, input);
      const created = await deps.useCases.createCampaign(caller, { ...checked, ...first });
      if (!created.ok) throw refusalError(created.refusal);
      const caughtUp = await readYourOwnWrite(deps, reply, created.position);
      const { campaignId, rejectedContacts, duplicateContacts, warnings } = created.value;
      const after = await campaignAfterWrite(deps, caller.owner, campaignId, caughtUp);
      const report = { rejectedContacts, duplicateContacts, ...more(created.value), warnings };
      return { status: 201, body: data({ ...after, ...report }) };
    },
  });
}
