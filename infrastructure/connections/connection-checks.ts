import type {
  CarrierDetails,
  Connections,
  OpenedConnection,
} from "../../application/ports/configuration/connections.ts";
import type { ConnectionChecks } from "../../application/ports/connection-checks.ts";
import type { ConnectionFinding } from "../../contract/connection-check.ts";
import { isOfCarrier } from "../../domain/call/carrier-identity.ts";
import type { ConnectionId, OwnerId } from "../../domain/shared/ids.ts";
import { checkModel } from "./check-model.ts";
import { checkPostgres } from "./check-postgres.ts";
import type { Egress } from "./egress.ts";
import { type MannersBook, serverName } from "./server-manners.ts";

export type ConnectionChecksDeps = {
  readonly connections: Pick<Connections, "open">;
  readonly egress: Egress;
  /** What this process found out about models' servers. */
  readonly manners: Pick<MannersBook, "all">;
  /** Checks a carrier through its adapter; null: it cannot be opened. */
  readonly checkCarrier: (
    owner: OwnerId,
    id: ConnectionId,
    kind: CarrierDetails["kind"],
  ) => Promise<readonly ConnectionFinding[] | null>;
};

const WHOLE_MILLIS = 15_000;

export function connectionChecks(deps: ConnectionChecksDeps): ConnectionChecks {
  return {
    async check(owner, id) {
      const opened = await deps.connections.open(owner, id);
      if (opened === null) return null;
      const begun = performance.now();
      const findings = await findingsOf(deps, owner, id, opened);
      return {
        ok: findings.every(({ ok }) => ok),
        millis: Math.round(performance.now() - begun),
        findings,
      };
    },
  };
}

function findingsOf(
  { egress, manners, checkCarrier }: ConnectionChecksDeps,
  owner: OwnerId,
  id: ConnectionId,
  opened: OpenedConnection,
): Promise<readonly ConnectionFinding[]> {
  if (isOfCarrier(opened)) return inTime(checkCarrier(owner, id, opened.kind));
  if (opened.kind === "postgres") return checkPostgres(egress, opened.settings, opened.secrets.password);
  const guarded = opened.default ? egress.ofInstallation : egress.ofOwners;
  const found = manners.all(serverName(id, opened.settings.baseUrl));
  return checkModel(guarded, { ...opened.settings, ...opened.secrets, manners: found });
}

async function inTime(
  asked: Promise<readonly ConnectionFinding[] | null>,
): Promise<readonly ConnectionFinding[]> {
  const { promise: late, resolve } = Promise.withResolvers<readonly ConnectionFinding[]>();
  const timer = setTimeout(() => resolve([NO_ANSWER]), WHOLE_MILLIS);
  try {
    return (await Promise.race([asked, late])) ?? [NOT_OPENED];
  } catch {
    return [NOT_OPENED];
  } finally {
    clearTimeout(timer);
  }
}

const NO_ANSWER = { name: "reachable", ok: false, detail: "The carrier did not answer within 15 s" } as const;
const NOT_OPENED = { name: "reachable", ok: false, detail: "The connection could not be opened" } as const;
