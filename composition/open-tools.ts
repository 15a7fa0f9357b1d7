import type { Connections } from "../application/ports/configuration/connections.ts";
import type { SecretBox } from "../application/ports/secret-box.ts";
import type { ToolRunner } from "../application/ports/tool-runner.ts";
import type { ToolTester } from "../application/ports/tool-tester.ts";
import type { OwnerId } from "../domain/shared/ids.ts";
import { type AddressPolicy, addressPolicy } from "../infrastructure/http/address-guard.ts";
import { resolveName } from "../infrastructure/http/resolve-name.ts";
import { createQueryThreads, type PostgresConnection } from "../infrastructure/tools/query-threads.ts";
import { secretValues } from "../infrastructure/tools/secret-values.ts";
import { createToolRunner, TOOL_MILLIS } from "../infrastructure/tools/tool-runner.ts";
import type { ServiceContext } from "./service-context.ts";

type ToolDeps = {
  readonly connections: Pick<Connections, "open">;
  readonly box: SecretBox;
  /** Allowed addresses of owners' databases. */
  readonly policy: AddressPolicy;
};

/** Runs the tools of conversations, and tries them for their owners. */
export function openTools(
  { config, stores, logger, closing }: Pick<ServiceContext, "config" | "stores" | "logger" | "closing">,
  { connections, box, policy }: ToolDeps,
): ToolRunner & ToolTester {
  const databases = createQueryThreads({ policy, resolve: resolveName });
  closing.push(databases.close);
  return createToolRunner({
    http: { policy: addressPolicy(config.toolAllowCidrs), resolve: resolveName, ca: undefined },
    secrets: secretValues(stores.database.pool, box),
    databases,
    postgresConnection: (owner, id) => postgresConnection(connections, owner, id),
    logger,
    millis: TOOL_MILLIS,
  });
}

async function postgresConnection(
  connections: Pick<Connections, "open">,
  owner: OwnerId,
  id: string,
): Promise<PostgresConnection | null> {
  if (!id.startsWith("conn_")) return null;
  const opened = await connections.open(owner, `conn_${id.slice("conn_".length)}`);
  return opened?.kind === "postgres" ? { ...opened.settings, ...opened.secrets } : null;
}
