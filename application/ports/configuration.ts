import type { ApiKeys } from "./configuration/api-keys.ts";
import type { Assistants } from "./configuration/assistants.ts";
import type { Connections } from "./configuration/connections.ts";
import type { Ledger } from "./configuration/ledger.ts";
import type { Names } from "./configuration/names.ts";
import type { PhoneNumbers } from "./configuration/phone-numbers.ts";
import type { Secrets } from "./configuration/secrets.ts";
import type { Sessions } from "./configuration/sessions.ts";
import type { SuppressionListRecords } from "./configuration/suppression-lists.ts";
import type { Suppressions } from "./configuration/suppressions.ts";
import type { Tools } from "./configuration/tools.ts";
import type { Users } from "./configuration/users.ts";

/**
 * The settings of an installation and its owners (schema `config`, docs/api.md §2 and §3): records, not
 * events. Every function, except those for operators, takes the owner first; another owner's id counts as
 * unknown. A create takes the id of the new record (drawn before, and stored with the Idempotency-Key). If a
 * record with that id exists, nothing is created again.
 */
export type Configuration = {
  readonly assistants: Assistants;
  readonly phoneNumbers: PhoneNumbers;
  readonly tools: Tools;
  readonly secrets: Secrets;
  readonly connections: Connections;
  readonly suppressions: Suppressions;
  readonly suppressionLists: SuppressionListRecords;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly users: Users;
  readonly ledger: Ledger;
  readonly names: Names;
};
