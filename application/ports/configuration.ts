import type { ApiKeys } from "./configuration/api-keys.ts";
import type { Assistants } from "./configuration/assistants.ts";
import type { Connections } from "./configuration/connections.ts";
import type { Ledger } from "./configuration/ledger.ts";
import type { Names } from "./configuration/names.ts";
import type { PhoneNumbers } from "./configuration/phone-numbers.ts";
import type { Secrets } from "./configuration/secrets.ts";
import type { Sessions } from "./configuration/sessions.ts";
import type { Suppressions } from "./configuration/suppressions.ts";
import type { Tools } from "./configuration/tools.ts";
import type { Users } from "./configuration/users.ts";

/**
 * What an installation and its owners set up (schema `config`, docs/api.md §2 and §3): records, not events. Every function but those of the
 * operators begins with the owner, and another owner's id reads as an unknown one.
 * A create takes the id that the record shall have (drawn before, and kept with the Idempotency-Key): under an id that stands already nothing is
 * made again.
 */
export type Configuration = {
  readonly assistants: Assistants;
  readonly phoneNumbers: PhoneNumbers;
  readonly tools: Tools;
  readonly secrets: Secrets;
  readonly connections: Connections;
  readonly suppressions: Suppressions;
  readonly apiKeys: ApiKeys;
  readonly sessions: Sessions;
  readonly users: Users;
  readonly ledger: Ledger;
  readonly names: Names;
};
