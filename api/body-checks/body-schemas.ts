import type { z } from "zod";
import { addContactsBodyOf, anyContacts, createCampaignBodyOf } from "../../contract/campaign-import.ts";
import { contactBody } from "../../contract/contact.ts";
import type { Route } from "../../contract/route.ts";
import { ROUTES } from "../../contract/routes.ts";
import {
  anyItems,
  MAX_SUPPRESSIONS,
  suppressionBodyOf,
  suppressionItem,
} from "../../contract/suppression.ts";
import { MAX_CONTACTS } from "../../domain/campaign/importing.ts";
import type { LongList } from "../body/check-list.ts";
import type { CheckTask } from "../body/check-protocol.ts";
import type { ContactsFile } from "../campaigns/read-contacts-csv.ts";

/** The body of every operation that has one. */
export const bodySchemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries<Route>(ROUTES).flatMap(([name, { body }]) => (body === undefined ? [] : [[name, body]])),
);

const contacts = { name: "contacts", item: contactBody, most: MAX_CONTACTS };

/** Operations whose body has a list that may be long. */
export const longLists: Readonly<Record<string, LongList>> = {
  addContacts: { ...contacts, rest: addContactsBodyOf(anyContacts) },
  createCampaign: { ...contacts, rest: createCampaignBodyOf(anyContacts) },
  addSuppression: {
    name: "items",
    item: suppressionItem,
    most: MAX_SUPPRESSIONS,
    rest: suppressionBodyOf(anyItems),
  },
};

/** Of a file, also the rows that were refused, of which a report may name 100,000. */
const LISTS_OF_A_FILE: readonly (keyof ContactsFile)[] = ["contacts", "refusedRows"];

/** Names of the lists in the checked value that may be long. */
export function longListsOf(task: CheckTask): readonly string[] {
  if (task.kind === "csv") return LISTS_OF_A_FILE;
  const list = longLists[task.schema];
  return list === undefined ? [] : [list.name];
}
