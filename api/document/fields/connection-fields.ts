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

const CALLS_PER_SECOND = "Number of dials per second that go through it at the most";

const TWILIO = {
  accountSid: "The account; another one is another connection",
  callsPerSecond: `${CALLS_PER_SECOND} (1 where it is left out)`,
  baseUrl: "A stand-in that every REST request goes to; null: Twilio itself",
};

const ASTERISK = {
  url: "Where its HTTP server answers; another one is another connection",
  user: "The ARI user",
  context: "Context of the dialplan that its calls are dialled in (`ringfold-dial` where it is left out)",
  callsPerSecond: `${CALLS_PER_SECOND}; null: as many as come`,
  maxConcurrentCalls: "Number of calls at once that go through it at the most; null: as many as come",
};

const ANY_ADDRESS = {
  callsPerSecond: `${CALLS_PER_SECOND}; null: as many as come (asterisk)`,
  baseUrl: "Where the model's server answers, with its version; of twilio a stand-in, or null",
};

const API_KEY = "The server's key; any text where it wants none";
const PASSWORD = "The user's password";
const AUTH_TOKEN = "The account's token";

const within = (name: string, fields: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(fields).map(([field, text]) => [`${name}.${field}`, text]));

/** Connections of owners. */
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
      ...within("settings", TWILIO),
      ...within("settings", ASTERISK),
      ...within("settings", ANY_ADDRESS),
      "secrets.apiKey": API_KEY,
      "secrets.authToken": AUTH_TOKEN,
      "secrets.password": PASSWORD,
    },
  },
  { of: ["ModelSettings"], fields: MODEL },
  { of: ["ModelSecrets"], fields: { apiKey: API_KEY } },
  { of: ["PostgresSettings"], fields: POSTGRES },
  { of: ["PostgresSecrets"], fields: { password: PASSWORD } },
  { of: ["TwilioSettings"], fields: TWILIO },
  { of: ["TwilioSecrets"], fields: { authToken: AUTH_TOKEN } },
  { of: ["AsteriskSettings"], fields: ASTERISK },
  { of: ["AsteriskSecrets"], fields: { password: PASSWORD } },
  {
    of: ["Connection"],
    fields: {
      id: "Id of the connection",
      default: "true: the installation's own, which nobody changes here",
      ...within("settings", MODEL),
      ...within("settings", POSTGRES),
      ...within("settings", TWILIO),
      ...within("settings", ASTERISK),
      ...within("settings", ANY_ADDRESS),
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
