import type { SecretBox } from "../../application/ports/secret-box.ts";
import { addressPolicy } from "../../infrastructure/http/address-guard.ts";
import { resolveName } from "../../infrastructure/http/resolve-name.ts";
import type { PostgresConnection } from "../../infrastructure/tools/postgres-connection.ts";
import { createQueryPools } from "../../infrastructure/tools/query-pools.ts";
import { secretValues } from "../../infrastructure/tools/secret-values.ts";
import { createToolRunner, TOOL_MILLIS } from "../../infrastructure/tools/tool-runner.ts";
import type { Surroundings } from "./surroundings.ts";

/** Tools of all owners: the way out for their requests and queries. */
export function openTools({ config, stores, logger, closing }: Surroundings, box: SecretBox) {
  const policy = addressPolicy(config.toolAllowCidrs);
  const pools = createQueryPools({ policy, resolve: resolveName });
  closing.push(pools.close);
  const noConnections = async (): Promise<PostgresConnection | null> => null;
  return createToolRunner({
    http: { policy, resolve: resolveName, ca: undefined },
    secrets: secretValues(stores.database.pool, box),
    pools,
    postgresConnection: noConnections,
    logger,
    millis: TOOL_MILLIS,
  });
}
