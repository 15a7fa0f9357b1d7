import type { ColumnType, Generated } from "kysely";
import type { ConnectionDetails } from "../../../application/ports/configuration/connections.ts";
import type { PlanRecord } from "../../../contract/account.ts";
import type { ApiKeyScope } from "../../../contract/scopes.ts";
import type { SuppressionChange, SuppressionSource } from "../../../contract/suppression.ts";
import type { OptOutBy } from "../../../domain/call/events.ts";
import type {
  ApiKeyId,
  AssistantId,
  CallId,
  CampaignId,
  ConnectionId,
  OwnerId,
  PhoneNumberId,
  SuppressionListId,
  ToolId,
} from "../../../domain/shared/ids.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import type { SuppressionListKind } from "../../../domain/suppression/events.ts";
import type { ToolType } from "../../../domain/tool/tool-config.ts";
import type { AssistantColumns } from "./assistant-columns.ts";

/** Schema `config`, and the tables of `work` that are read or written together with it. */
export type ConfigurationTables = {
  readonly "config.users": UsersTable;
  readonly "config.api_keys": ApiKeysTable;
  readonly "config.sessions": SessionsTable;
  readonly "config.assistants": AssistantsTable;
  readonly "config.assistant_versions": AssistantVersionsTable;
  readonly "config.phone_numbers": PhoneNumbersTable;
  readonly "config.tools": ToolsTable;
  readonly "config.secrets": SecretsTable;
  readonly "config.connections": ConnectionsTable;
  readonly "config.suppressions": SuppressionsTable;
  readonly "config.suppression_history": SuppressionHistoryTable;
  readonly "config.suppression_lists": SuppressionListsTable;
  readonly "work.owner_accounts": OwnerAccountsTable;
  readonly "work.ledger": LedgerTable;
  readonly "work.opt_outs": OptOutsTable;
};

/** `pg` returns 64-bit integers as text. */
type BigInteger = ColumnType<string, number, number>;

export type UsersTable = {
  id: OwnerId;
  name: string;
  max_concurrent_calls: number;
  max_calls_per_second: number;
  /** bigint: text. */
  max_model_tokens_per_day: string | null;
  plan_source: ColumnType<PlanRecord["source"], PlanRecord["source"] | undefined>;
  active: boolean;
  created_at: Date;
  updated_at: Date;
};

export type ApiKeysTable = {
  id: ApiKeyId;
  owner_id: OwnerId;
  name: string;
  scopes: ApiKeyScope[];
  lookup: string;
  secret_hash: Buffer;
  expires_at: Date | null;
  last_used_at: Date | null;
  created_at: Date;
  revoked_at: Date | null;
};

export type SessionsTable = { id: string; key_id: ApiKeyId; created_at: Date; expires_at: Date };

export type AssistantsTable = AssistantColumns & {
  id: AssistantId;
  owner_id: OwnerId;
  published_version: number | null;
  versions: Generated<number>;
  publish_needs_rehearsal: Generated<boolean>;
  created_at: Date;
  updated_at: Date;
};

export type AssistantVersionsTable = AssistantColumns & {
  assistant_id: AssistantId;
  version: number;
  published_at: Date;
};

export type PhoneNumbersTable = {
  id: PhoneNumberId;
  owner_id: OwnerId;
  phone_number: PhoneNumber;
  label: string | null;
  active: boolean;
  carrier: string | null;
  connection_id: ConnectionId | null;
  shared: Generated<boolean>;
  created_at: Date;
  updated_at: Date;
};

export type ToolsTable = {
  id: ToolId;
  owner_id: OwnerId;
  name: string;
  type: ToolType;
  description: string;
  config: ColumnType<JsonObject, string, string>;
  sample_answer: ColumnType<string | null, string | null | undefined>;
  created_at: Date;
  updated_at: Date;
};

export type SecretsTable = { owner_id: OwnerId; name: string; sealed: Buffer; updated_at: Date };

export type ConnectionsTable = {
  id: ConnectionId;
  owner_id: OwnerId;
  kind: ConnectionDetails["kind"];
  name: string;
  settings: ColumnType<JsonObject, string, string>;
  sealed: Buffer;
  created_at: Date;
  updated_at: Date;
};

export type SuppressionsTable = {
  owner_id: OwnerId;
  phone_number: PhoneNumber;
  reason: string | null;
  sequence: ColumnType<string, never, never>;
  created_at: Date;
  /** Id of the API key; null: a call, or older than this column. */
  created_by: string | null;
  source: Generated<SuppressionSource>;
  call_id: ColumnType<CallId | null, CallId | null | undefined>;
};

export type SuppressionHistoryTable = {
  owner_id: OwnerId;
  phone_number: PhoneNumber;
  sequence: ColumnType<string, never, never>;
  action: SuppressionChange["action"];
  reason: string | null;
  source: SuppressionSource;
  by_key: string | null;
  call_id: CallId | null;
  at: Date;
};

export type SuppressionListsTable = {
  id: SuppressionListId;
  owner_id: OwnerId;
  name: string;
  kind: SuppressionListKind;
  active: boolean;
  count: Generated<number>;
  as_of: ColumnType<Date | null, Date | null | undefined>;
  sha256: ColumnType<string | null, string | null | undefined>;
  loaded: ColumnType<string | null, number | null | undefined, number | null>;
  created_at: Date;
  updated_at: Date;
  sequence: ColumnType<string, never, never>;
  changed_at: Date;
  replaced_at: ColumnType<Date | null, Date | null | undefined>;
  is_behind: Generated<boolean>;
  deleted_at: ColumnType<Date | null, Date | null | undefined>;
};

export type OptOutsTable = {
  call_id: CallId;
  owner_id: OwnerId;
  campaign_id: CampaignId | null;
  phone_number: PhoneNumber;
  sequence: ColumnType<string, never, never>;
  /** null, as what follows: what was said cannot be read. */
  heard_by: OptOutBy | null;
  message_index: number | null;
  said_at: Date | null;
  recorded: Generated<boolean>;
  revoked: Generated<boolean>;
};

export type OwnerAccountsTable = { owner_id: OwnerId; balance: BigInteger };

export type LedgerTable = {
  owner_id: OwnerId;
  id: ColumnType<string, never, never>;
  at: Date;
  cause: "top_up" | "reserve" | "release" | "charge";
  amount: BigInteger;
  balance: BigInteger;
  reserved: BigInteger;
  call_id: `call_${string}` | null;
  reference: string | null;
};
