import type { AssistantDraft } from "../../../application/ports/configuration/assistants.ts";
import type {
  CarrierDetails,
  ConnectionDraft,
} from "../../../application/ports/configuration/connections.ts";
import type { PhoneNumberDraft } from "../../../application/ports/configuration/phone-numbers.ts";
import type { ToolDraft } from "../../../application/ports/configuration/tools.ts";
import type { Directory } from "../../../application/ports/directory.ts";
import type { Plan } from "../../../domain/admission/slots.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import {
  createPostgresConfiguration,
  type PostgresConfiguration,
} from "../../../infrastructure/account/configuration/configuration.ts";
import type { InstallationModel } from "../../../infrastructure/account/configuration/installation-connections.ts";
import type { ConfigurationTables } from "../../../infrastructure/account/configuration/tables.ts";
import { createPostgresDirectory } from "../../../infrastructure/account/directory.ts";
import { createOwnerChanges } from "../../../infrastructure/account/owner-changes.ts";
import { addressPolicy } from "../../../infrastructure/http/address-guard.ts";
import { resolveName } from "../../../infrastructure/http/resolve-name.ts";
import { systemIds } from "../../../infrastructure/ids.ts";
import { kyselyOn } from "../../../infrastructure/postgres/pool.ts";
import { secretBox } from "../../../infrastructure/secrets.ts";
import { type MovingClock, movingClock } from "../../support/moving-clock.ts";
import { type WorkDatabase, workDatabase } from "../../support/work-database.ts";

export type ConfigurationWorld = {
  readonly database: WorkDatabase;
  readonly configuration: PostgresConfiguration;
  readonly directory: Directory;
  readonly clock: MovingClock;
  readonly end: () => Promise<void>;
};

/** What the configuration says; a limit of tokens is an owner's own. */
export const DEFAULT_PLAN = { maxConcurrentCalls: 10, maxCallsPerSecond: 10 };
export const OWNER_PLAN = { ...DEFAULT_PLAN, maxModelTokensPerDay: null, source: "default" } as const;
export const DEFAULT_CREDITS = 5_000_000;
export const FIRST_PAGE = { limit: 50, after: null };

export async function configurationWorld(): Promise<ConfigurationWorld> {
  const database = await workDatabase();
  const process = configurationOn(database);
  return {
    ...process,
    database,
    end: async () => {
      await process.configuration.stop();
      await database.drop();
    },
  };
}

/** One process on the database. */
export function configurationOn(
  { pool, notifications }: Pick<WorkDatabase, "pool" | "notifications">,
  model: InstallationModel | null = null,
  carriers: readonly CarrierDetails[] = [],
  plan: Plan = DEFAULT_PLAN,
) {
  const clock = movingClock();
  const changes = createOwnerChanges(notifications);
  const configuration = createPostgresConfiguration({
    db: kyselyOn<ConfigurationTables>(pool),
    changes,
    clock,
    ids: systemIds,
    onQueued: () => undefined,
    secretBox: secretBox(new Uint8Array(32)),
    egress: { policy: addressPolicy(["127.0.0.0/8"]), resolve: resolveName },
    installation: { model, carriers },
    defaults: { plan, credits: DEFAULT_CREDITS },
  });
  return { configuration, directory: createPostgresDirectory(pool, changes), clock };
}

export const someOwner = (): OwnerId => systemIds.next("usr");

export const assistantDraft: AssistantDraft = {
  name: "Reception",
  greetingMessage: "Hello {{name}}",
  systemPrompt: "You book tables.",
  model: null,
  temperature: 0.2,
  voice: "alto",
  language: null,
  toolIds: [],
  maxDurationSeconds: 600,
  voicemailPolicy: "hang_up",
  voicemailMessage: null,
  modelConnectionId: "conn_1",
  fallbackMessage: "Please call us back.",
  silenceTimeoutSeconds: 12,
  endSilenceMs: 700,
  interruptible: false,
  recording: "on",
  recordingNotice: "This call is recorded.",
  optOut: "off",
  optOutDigit: "9",
  optOutMessage: "We will not call you again.",
  outcome: {
    summary: true,
    fields: [{ name: "plan", type: "enum", description: "Which plan", values: ["A", "B"] }],
    success: { field: "plan", in: ["B"] },
  },
  callback: { maxDays: 30, maxPerContact: 3 },
};

export const phoneNumberDraft: PhoneNumberDraft = {
  phoneNumber: "+15005550001",
  label: "Main",
  active: true,
  carrier: null,
  connectionId: null,
  shared: false,
};

export const modelDraft: ConnectionDraft = {
  kind: "model",
  name: "Ours",
  settings: { baseUrl: "http://127.0.0.1:9999/v1", defaultModel: "small" },
  secrets: { apiKey: "sk-very-secret" },
};

export const toolDraft: ToolDraft = {
  name: "book",
  type: "API_REQUEST",
  description: "Books a table",
  config: { url: "https://example.org/{table}", method: "POST", headers: { b: "{{secrets.B}}", a: "1" } },
  sampleAnswer: null,
};
