import type { FieldTable } from "./field-table.ts";

const MODEL = {
  baseUrl: "Where an OpenAI-compatible server answers, with its version",
  defaultModel: "The model of assistants that name none",
};

const POSTGRES = {
  host: "Name or address of the server",
  port: "Number of its TCP port",
  database: "Name of the database",
  user: "Name of the user that queries run as",
  tls: "true: with TLS and a certificate that is verified; false: only in ranges that the operator opened",
};

const API_KEY = "The server's key; any text where it wants none";
const PASSWORD = "The user's password";

const within = (name: string, fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([field, text]) => [`${name}.${field}`, text]));

/** What an owner brings along. */
export const CONNECTION_FIELDS: readonly FieldTable[] = [
  {
    of: ["ConnectionRequest", "ConnectionChanges", "Connection"],
    fields: {
      name: "A name for it",
      kind: "What is on the other side; it never changes",
      settings: "How it is reached; which fields there are follows from the kind",
    },
  },
  {
    of: ["ConnectionRequest", "ConnectionChanges"],
    fields: { secrets: "What must not be read back: they are sealed, and no answer shows them" },
  },
  {
    of: ["ConnectionChanges"],
    fields: {
      ...within("settings", MODEL),
      ...within("settings", POSTGRES),
      "secrets.apiKey": API_KEY,
      "secrets.password": PASSWORD,
    },
  },
  { of: ["ModelSettings"], fields: MODEL },
  { of: ["ModelSecrets"], fields: { apiKey: API_KEY } },
  { of: ["PostgresSettings"], fields: POSTGRES },
  { of: ["PostgresSecrets"], fields: { password: PASSWORD } },
  {
    of: ["Connection"],
    fields: {
      id: "Id of the connection",
      default: "true: the installation's own, which nobody changes here",
      ...within("settings", MODEL),
      ...within("settings", POSTGRES),
      createdAt: "When it was made; ISO 8601, UTC; null: it comes from the environment",
      updatedAt: "When it changed last; ISO 8601, UTC; null: it comes from the environment",
    },
  },
  {
    of: ["ConnectionCheck"],
    fields: {
      ok: "Every finding is",
      millis: "Milliseconds that it took",
      findings:
        "What was found, in the order in which it was looked at; what lies behind a failure is not looked at",
      "findings.name": "What was looked at",
      "findings.ok": "It is as it must be",
      "findings.detail": "What was found, in a sentence",
    },
  },
  { of: ["deleteConnection"], fields: { "data.id": "Id of what is gone" } },
];
