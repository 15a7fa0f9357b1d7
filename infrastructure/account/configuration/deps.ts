import type { Kysely } from "kysely";
import type { Clock } from "../../../application/ports/clock.ts";
import type { Ids } from "../../../application/ports/ids.ts";
import type { SecretBox } from "../../../application/ports/secret-box.ts";
import type { Plan } from "../../../domain/admission/slots.ts";
import type { CreditUnits } from "../../../domain/shared/credits.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { OwnerChanges } from "../owner-changes.ts";
import type { Installation } from "./installation-connections.ts";
import type { AddressJudgeDeps } from "./judge-connection.ts";
import type { ConfigurationTables } from "./tables.ts";

export type ConfigurationDeps = {
  readonly db: Kysely<ConfigurationTables>;
  readonly changes: OwnerChanges;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  /** Addresses that owners' connections may use. */
  readonly egress: AddressJudgeDeps;
  readonly installation: Installation;
  /** Webhooks were queued for these owners: wakes the delivery loop of this process. */
  readonly onQueued: (owners: readonly OwnerId[]) => void;
  /** For new owners without these fields. */
  readonly defaults: { readonly plan: Plan; readonly credits: CreditUnits };
};

export function dateNow(clock: Clock): Date {
  return new Date(clock.nowMillis());
}
