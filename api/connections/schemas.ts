import { z } from "zod";
import { idOf, instant, label } from "../../contract/fields.ts";
import { KINDS, UNKNOWN_KIND } from "./kinds.ts";

const { model, postgres, twilio, asterisk } = KINDS;

const EXAMPLE = {
  kind: "model" as const,
  name: "Our model",
  settings: { baseUrl: "https://api.example.com/v1", defaultModel: "small-1" },
};

export const connectionBody = z
  .discriminatedUnion(
    "kind",
    [
      z.strictObject({
        kind: z.literal("model"),
        name: label,
        settings: model.settings.meta({ id: "ModelSettings" }),
        secrets: model.secrets.meta({ id: "ModelSecrets" }),
      }),
      z.strictObject({
        kind: z.literal("postgres"),
        name: label,
        settings: postgres.settings.meta({ id: "PostgresSettings" }),
        secrets: postgres.secrets.meta({ id: "PostgresSecrets" }),
      }),
      z.strictObject({
        kind: z.literal("twilio"),
        name: label,
        settings: twilio.settings.meta({ id: "TwilioSettings" }),
        secrets: twilio.secrets.meta({ id: "TwilioSecrets" }),
      }),
      z.strictObject({
        kind: z.literal("asterisk"),
        name: label,
        settings: asterisk.settings.meta({ id: "AsteriskSettings" }),
        secrets: asterisk.secrets.meta({ id: "AsteriskSecrets" }),
      }),
    ],
    { error: UNKNOWN_KIND },
  )
  .meta({ id: "ConnectionRequest", examples: [{ ...EXAMPLE, secrets: { apiKey: "sk-example" } }] });

/** Fields of every kind; the route checks that they belong to the connection's kind. */
export const changeConnectionBody = z
  .strictObject({
    name: label.optional(),
    kind: label.optional(),
    settings: z
      .strictObject({
        ...model.settings.shape,
        ...postgres.settings.shape,
        ...twilio.settings.shape,
        ...asterisk.settings.shape,
      })
      .partial()
      .optional(),
    secrets: z
      .strictObject({ ...model.secrets.shape, ...postgres.secrets.shape, ...twilio.secrets.shape })
      .partial()
      .optional(),
  })
  .meta({ id: "ConnectionChanges", examples: [{ settings: { defaultModel: "large-1" } }] });

export const connection = z
  .object({
    id: z.string().regex(/^conn_([0-9a-z]{26}|default_(model|twilio|asterisk))$/),
    kind: z.enum(["model", "postgres", "twilio", "asterisk"]),
    name: z.string(),
    default: z.boolean(),
    settings: z.union([
      z.object({ baseUrl: z.string(), defaultModel: z.string() }),
      z.object({
        host: z.string(),
        port: z.number(),
        database: z.string(),
        user: z.string(),
        tls: z.boolean(),
      }),
      z.object({
        accountSid: z.string(),
        callsPerSecond: z.number(),
        baseUrl: z.string().nullable(),
      }),
      z.object({
        url: z.string(),
        user: z.string(),
        context: z.string(),
        callsPerSecond: z.number().nullable(),
        maxConcurrentCalls: z.number().nullable(),
      }),
    ]),
    createdAt: instant.nullable(),
    updatedAt: instant.nullable(),
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

export const connectionCheck = z
  .object({
    ok: z.boolean(),
    millis: z.number(),
    findings: z.array(
      z.object({
        name: z.string(),
        ok: z.boolean(),
        detail: z.string(),
      }),
    ),
  })
  .meta({
    id: "ConnectionCheck",
    examples: [
      {
        ok: false,
        millis: 84,
        findings: [
          { name: "reachable", ok: true, detail: "GET /models was answered with status 401" },
          { name: "credentials", ok: false, detail: "The server refuses the key (status 401)" },
        ],
      },
    ],
  });

export const connectionDeleted = z.object({ id: idOf("conn"), deleted: z.literal(true) });
