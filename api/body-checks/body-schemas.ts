import type { z } from "zod";
import { addContactsBodyOf, anyContacts, createCampaignBodyOf } from "../../contract/campaign-import.ts";
import { contactBody } from "../../contract/contact.ts";
import { noBody } from "../../contract/fields.ts";
import type { Route } from "../../contract/route.ts";
import { ROUTES } from "../../contract/routes.ts";
import { MAX_CONTACTS } from "../../domain/campaign/importing.ts";
import { accountBody, topUpBody } from "../account/schemas.ts";
import { apiKeyBody } from "../api-keys/schemas.ts";
import { assistantBody, changeAssistantBody } from "../assistants/schemas.ts";
import type { LongList } from "../body/check-list.ts";
import type { CheckTask } from "../body/check-protocol.ts";
import { changeConnectionBody, connectionBody } from "../connections/schemas.ts";
import { changePhoneNumberBody, phoneNumberBody } from "../phone-numbers/schemas.ts";
import { secretBody } from "../secrets/schemas.ts";
import { signInBody } from "../sessions/schemas.ts";
import {
  changeHandoffBody,
  changeMemberBody,
  changeSquadBody,
  createSquadBody,
  handoffBody,
  memberBody,
  removeHandoffBody,
  removeMemberBody,
} from "../squads/schemas.ts";
import {
  anyItems,
  MAX_SUPPRESSIONS,
  suppressionBody,
  suppressionBodyOf,
  suppressionItem,
} from "../suppressions/schemas.ts";
import { changeToolBody, toolBody } from "../tools/schemas.ts";
import { testToolBody } from "../tools/test-schemas.ts";
import { adminKeyBody, changeUserBody, userBody } from "../users/schemas.ts";

const bodiesOfRoutes = Object.fromEntries(
  Object.entries<Route>(ROUTES).flatMap(([name, { body }]) => (body === undefined ? [] : [[name, body]])),
);

/** Every body schema by name: a schema cannot be sent to a worker thread, its name can. */
export const bodySchemas: Readonly<Record<string, z.ZodType>> = {
  ...bodiesOfRoutes,
  accountBody,
  adminKeyBody,
  apiKeyBody,
  assistantBody,
  changeAssistantBody,
  changeConnectionBody,
  changeHandoffBody,
  changeMemberBody,
  changePhoneNumberBody,
  changeSquadBody,
  changeToolBody,
  changeUserBody,
  connectionBody,
  createSquadBody,
  handoffBody,
  memberBody,
  noBody,
  phoneNumberBody,
  removeHandoffBody,
  removeMemberBody,
  secretBody,
  signInBody,
  suppressionBody,
  testToolBody,
  toolBody,
  topUpBody,
  userBody,
};

const contacts = { name: "contacts", item: contactBody, most: MAX_CONTACTS };

/** Schemas whose list may be long. */
export const longLists: Readonly<Record<string, LongList>> = {
  addContacts: { ...contacts, rest: addContactsBodyOf(anyContacts) },
  createCampaign: { ...contacts, rest: createCampaignBodyOf(anyContacts) },
  suppressionBody: {
    name: "items",
    item: suppressionItem,
    most: MAX_SUPPRESSIONS,
    rest: suppressionBodyOf(anyItems),
  },
};

/** Name of the one list in the checked value that may be long; null: none. */
export function longListOf(task: CheckTask): string | null {
  return task.kind === "csv" ? contacts.name : (longLists[task.schema]?.name ?? null);
}

/** Name of a route's body schema; one that is missing above fails at the start. */
export function bodySchemaName(schema: unknown, route: string): string {
  const found = Object.entries(bodySchemas).find(([, known]) => known === schema);
  if (found === undefined) throw new Error(`${route}: its body schema is missing in bodySchemas`);
  return found[0];
}
