import type { Configuration } from "../../../application/ports/configuration.ts";
import { apiKeys } from "./api-keys.ts";
import { assistants } from "./assistants.ts";
import { connections } from "./connections.ts";
import type { ConfigurationDeps } from "./deps.ts";
import { createKeyUse } from "./key-use.ts";
import { ledger } from "./ledger.ts";
import { names } from "./names.ts";
import { phoneNumbers } from "./phone-numbers.ts";
import { secrets } from "./secrets.ts";
import { sessions } from "./sessions.ts";
import { suppressions } from "./suppressions.ts";
import { tools } from "./tools.ts";
import { users } from "./users.ts";

export type PostgresConfiguration = Configuration & {
  /** Writes the pending last uses of keys; call it before the pool ends. */
  readonly stop: () => Promise<void>;
};

/** Schema `config` through kysely. Changes are notified to the caches of all processes. */
export function createPostgresConfiguration(deps: ConfigurationDeps): PostgresConfiguration {
  const keyUse = createKeyUse(deps.db, deps.clock);
  return {
    assistants: assistants(deps),
    phoneNumbers: phoneNumbers(deps),
    tools: tools(deps),
    secrets: secrets(deps),
    connections: connections(deps),
    suppressions: suppressions(deps),
    apiKeys: apiKeys(deps, keyUse),
    sessions: sessions(deps, keyUse),
    users: users(deps),
    ledger: ledger(deps),
    names: names(deps),
    stop: keyUse.stop,
  };
}
