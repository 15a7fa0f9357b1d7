import type { Selectable } from "kysely";
import type { Ledger } from "../../../application/ports/configuration/ledger.ts";
import type { Configuration } from "../../../application/ports/configuration.ts";
import type { LineSnapshots } from "../../../application/ports/line-snapshots.ts";
import type { ListNumbers } from "../../../application/ports/list-numbers.ts";
import type { OptOuts } from "../../../application/ports/opt-outs.ts";
import type { LedgerEntry } from "../../../domain/admission/grants.ts";
import { apiKeys } from "./api-keys.ts";
import { assistants } from "./assistants.ts";
import { connections } from "./connections.ts";
import type { ConfigurationDeps } from "./deps.ts";
import { instantOfDate } from "./instant-of-date.ts";
import { createKeyUse } from "./key-use.ts";
import { lineSnapshots } from "./line-directory.ts";
import { listNumbers } from "./list-numbers.ts";
import { names } from "./names.ts";
import { createPostgresOptOuts } from "./opt-outs.ts";
import { ownersRecords } from "./owners-records.ts";
import { phoneNumbers } from "./phone-numbers.ts";
import { secrets } from "./secrets.ts";
import { sessions } from "./sessions.ts";
import { suppressionLists } from "./suppression-lists.ts";
import { suppressions } from "./suppressions.ts";
import type { LedgerTable } from "./tables.ts";
import { tools } from "./tools.ts";
import { users } from "./users.ts";

export type PostgresConfiguration = Configuration & {
  /** They write the do-not-call list as well. */
  readonly optOuts: OptOuts;
  readonly listNumbers: ListNumbers;
  /** What rehearsals speak with. */
  readonly lineSnapshots: LineSnapshots;
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
    suppressionLists: suppressionLists(deps),
    listNumbers: listNumbers(deps),
    lineSnapshots: lineSnapshots(deps.db),
    optOuts: createPostgresOptOuts(deps),
    apiKeys: apiKeys(deps, keyUse),
    sessions: sessions(deps, keyUse),
    users: users(deps),
    ledger: ledger(deps),
    names: names(deps),
    stop: keyUse.stop,
  };
}

function ledger({ db }: ConfigurationDeps): Ledger {
  return { list: ownersRecords(db, "work.ledger", entryOf).list };
}

function entryOf(row: Selectable<LedgerTable>): LedgerEntry {
  return {
    id: row.id,
    at: instantOfDate(row.at),
    cause: row.cause,
    amount: Number(row.amount),
    balance: Number(row.balance),
    reserved: Number(row.reserved),
    callId: row.call_id,
    reference: row.reference,
  };
}
