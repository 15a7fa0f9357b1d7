import type { PlanLimits } from "../../../contract/account.ts";
import type { IssuedApiKey } from "../../../contract/api-key.ts";
import type { UserRecord } from "../../../contract/user.ts";
import type { CreditUnits } from "../../../domain/shared/credits.ts";
import type { ApiKeyId, OwnerId } from "../../../domain/shared/ids.ts";
import type { Page, PageRequest } from "../queries/pages.ts";
import type { Saved } from "./saved.ts";

export type NewUser = {
  readonly id: OwnerId;
  /** Id of its first key, which has the scope `admin`. */
  readonly apiKeyId: ApiKeyId;
  readonly name: string;
  /** Absent fields: the installation's defaults, which hold on when there is no field at all. */
  readonly plan: Partial<PlanLimits>;
  /** null: the installation's INITIAL_CREDITS. */
  readonly credits: CreditUnits | null;
};

export type UserChanges = {
  readonly name?: string;
  readonly active?: boolean;
  /** With a field: the plan is the operator's from then on. null: the installation's again. */
  readonly plan?: Partial<PlanLimits> | null;
};

export type ChangeUserRefusal =
  | { readonly reason: "not_found" }
  /** Making it inactive would leave the installation without an operator. */
  | { readonly reason: "operator_needed" };

export type FirstRun = {
  readonly userId: OwnerId;
  readonly apiKeyId: ApiKeyId;
  /** BOOTSTRAP_API_KEY; null: a random key is made. */
  readonly bootstrapKey: string | null;
};

/** Owners of an installation, for operators only. Lists: newest first. */
export interface Users {
  /**
   * With its account, its first credits and its first key, all or nothing. `created` false: it existed
   * already, and `apiKey.key` is null.
   */
  create(user: NewUser): Promise<{
    readonly created: boolean;
    readonly user: UserRecord;
    readonly apiKey: IssuedApiKey;
  }>;
  get(id: OwnerId): Promise<UserRecord | null>;
  list(page: PageRequest<OwnerId>): Promise<Page<UserRecord, OwnerId>>;
  /** The owner of an operator key stays active. */
  change(id: OwnerId, changes: UserChanges): Promise<Saved<UserRecord, ChangeUserRefusal>>;
  /**
   * The installation's plan for every owner whose plan was never set by an operator; called at each start.
   * Resolves with the number of owners whose limits this changed.
   */
  holdDefaultPlan(): Promise<number>;
  /**
   * Makes the first owner and its key (scopes admin and operator) when there is no key at all; else null. Of
   * several processes exactly one makes it.
   */
  firstRun(run: FirstRun): Promise<IssuedApiKey | null>;
}
