import type { Connections, OpenedConnection } from "../../application/ports/configuration/connections.ts";
import type { ConnectionChecks, ConnectionFinding } from "../../application/ports/connection-checks.ts";
import { checkModel } from "./check-model.ts";
import { checkPostgres } from "./check-postgres.ts";
import type { WaysOut } from "./ways-out.ts";

export type ConnectionChecksDeps = {
  readonly connections: Pick<Connections, "open">;
  readonly ways: WaysOut;
};

export function connectionChecks({ connections, ways }: ConnectionChecksDeps): ConnectionChecks {
  return {
    async check(owner, id) {
      const opened = await connections.open(owner, id);
      if (opened === null) return null;
      const begun = performance.now();
      const findings = await findingsOf(opened, ways);
      return {
        ok: findings.every(({ ok }) => ok),
        millis: Math.round(performance.now() - begun),
        findings,
      };
    },
  };
}

function findingsOf(opened: OpenedConnection, ways: WaysOut): Promise<readonly ConnectionFinding[]> {
  if (opened.kind === "postgres") return checkPostgres(ways, opened.settings, opened.secrets.password);
  const way = opened.default ? ways.ofInstallation : ways.ofOwners;
  return checkModel(way, { ...opened.settings, ...opened.secrets });
}
