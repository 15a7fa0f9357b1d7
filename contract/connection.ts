import { z } from "zod";
import type { ConnectionId } from "../domain/shared/ids.ts";
import { anySecrets, anySettings, type ConnectionKind, KINDS, keptSettings } from "./connection-settings.ts";
import {
  answer,
  type DeepReadonly,
  deletedRecord,
  instant,
  label,
  list,
  pageFields,
  typed,
} from "./fields.ts";
import { routes } from "./route.ts";

const KIND_NAMES = ["model", "postgres", "twilio", "asterisk"] as const satisfies readonly ConnectionKind[];

const NAME = "A name for it";
const KIND = "What is on the other side; it never changes";
const SETTINGS = "How it is reached; which fields there are follows from the kind";
const SECRETS = "What must not be read back: they are sealed, and no answer shows them";

const EXAMPLE = {
  kind: "model" as const,
  name: "Our model",
  settings: { baseUrl: "https://api.example.com/v1", defaultModel: "small-1" },
};

const name = label.describe(NAME);

/** A new connection of one kind; `id`: how its settings and secrets are called in the document. */
const ofKind = <Kind extends ConnectionKind, Settings extends z.ZodType, Secrets extends z.ZodType>(
  kind: Kind,
  id: string,
  { settings, secrets }: { readonly settings: Settings; readonly secrets: Secrets },
) =>
  z.strictObject({
    kind: z.literal(kind).describe(KIND),
    name,
    settings: settings.meta({ id: `${id}Settings` }).describe(SETTINGS),
    secrets: secrets.meta({ id: `${id}Secrets` }).describe(SECRETS),
  });

const connectionBody = z
  .discriminatedUnion(
    "kind",
    [
      ofKind("model", "Model", KINDS.model),
      ofKind("postgres", "Postgres", KINDS.postgres),
      ofKind("twilio", "Twilio", KINDS.twilio),
      ofKind("asterisk", "Asterisk", KINDS.asterisk),
    ],
    { error: "Must be model, postgres, twilio or asterisk" },
  )
  .meta({ id: "ConnectionRequest", examples: [{ ...EXAMPLE, secrets: { apiKey: "sk-example" } }] });
export type ConnectionBody = z.output<typeof connectionBody>;

/** Fields of every kind; the route checks that they belong to the connection's kind. */
const changeConnectionBody = z
  .strictObject({
    name: name.optional(),
    kind: label.describe(KIND).optional(),
    settings: anySettings.describe(SETTINGS).optional(),
    secrets: anySecrets.describe(SECRETS).optional(),
  })
  .meta({ id: "ConnectionChanges", examples: [{ settings: { defaultModel: "large-1" } }] });
export type ConnectionChangesBody = z.output<typeof changeConnectionBody>;

const FROM_ENVIRONMENT = "ISO 8601, UTC; null: it comes from the environment";

export const connectionRecord = z
  .object({
    id: typed<ConnectionId>(
      z.string().regex(/^conn_([0-9a-z]{26}|default_(model|twilio|asterisk))$/),
    ).describe("Id of the connection"),
    kind: z.enum(KIND_NAMES).describe(KIND),
    name: z.string().describe(NAME),
    default: z.boolean().describe("true: the installation's own, which nobody changes here"),
    settings: keptSettings.describe(SETTINGS),
    createdAt: instant.nullable().describe(`When it was made; ${FROM_ENVIRONMENT}`),
    updatedAt: instant.nullable().describe(`When it changed last; ${FROM_ENVIRONMENT}`),
  })
  .meta({
    id: "Connection",
    examples: [
      {
        id: "conn_01k4b2s9h3e8t9v0w1x2y3z4a5",
        ...EXAMPLE,
        default: false,
        createdAt: "2026-09-01T10:00:00.000Z",
        updatedAt: "2026-09-01T10:00:00.000Z",
      },
    ],
  });
export type ConnectionRecord = DeepReadonly<z.infer<typeof connectionRecord>>;

const scope = "admin";
const errors = ["CONNECTION_NOT_FOUND"] as const;

export const connectionRoutes = routes({
  listConnections: {
    method: "GET",
    path: "/api/v1/connections",
    tag: "connections",
    summary: "Connections, newest first; before them the installation's own",
    scope,
    query: z.object(pageFields),
    answers: { 200: list(connectionRecord) },
  },
  getConnection: {
    method: "GET",
    path: "/api/v1/connections/:id",
    tag: "connections",
    summary: "One connection, without its secrets",
    scope,
    answers: { 200: answer(connectionRecord) },
    errors,
  },
  createConnection: {
    method: "POST",
    path: "/api/v1/connections",
    tag: "connections",
    summary: "Makes a connection; its secrets are never shown again",
    scope,
    body: connectionBody,
    answers: { 201: answer(connectionRecord) },
    idempotent: true,
  },
  changeConnection: {
    method: "PATCH",
    path: "/api/v1/connections/:id",
    tag: "connections",
    summary: "Changes a connection; of settings and secrets what is left out stays",
    scope,
    body: changeConnectionBody,
    answers: { 200: answer(connectionRecord) },
    errors: [...errors, "CONNECTION_IMMUTABLE"],
  },
  deleteConnection: {
    method: "DELETE",
    path: "/api/v1/connections/:id",
    tag: "connections",
    summary: "Deletes a connection that nothing uses",
    scope,
    answers: { 200: answer(deletedRecord("conn")) },
    errors: [...errors, "CONNECTION_IN_USE", "CONNECTION_IMMUTABLE"],
  },
});
