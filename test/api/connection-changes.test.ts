import { describe, expect, it } from "vitest";
import { changesOf, SETTING_ROLES } from "../../api/connections/changes.ts";
import { ApiError } from "../../api/errors.ts";
import type { ConnectionDetails } from "../../application/ports/configuration/connections.ts";
import type { ConnectionRecord } from "../../contract/connection.ts";
import { KINDS } from "../../contract/connection-settings.ts";

type Kind = ConnectionDetails["kind"];
type SettingsOf<K extends Kind> = Extract<ConnectionDetails, { kind: K }>["settings"];

const SID = `AC${"a1".repeat(16)}`;

/** Of each kind: a connection, other values for each of its settings, and its secrets given again. */
const EXAMPLES: {
  readonly [K in Kind]: {
    readonly settings: SettingsOf<K>;
    readonly others: { readonly [Name in keyof SettingsOf<K>]: readonly unknown[] };
    readonly secrets: Readonly<Record<string, string>>;
  };
} = {
  model: {
    settings: { baseUrl: "https://a.example/v1", defaultModel: "m" },
    others: {
      baseUrl: ["https://b.example/v1", "https://a.example/v2", "https://a.example:8443/v1"],
      defaultModel: ["n"],
    },
    secrets: { apiKey: "again" },
  },
  postgres: {
    settings: { host: "a.example", port: 5432, database: "d", user: "u", tls: true },
    others: { host: ["b.example"], port: [5433], database: ["e"], user: ["v"], tls: [false] },
    secrets: { password: "again" },
  },
  twilio: {
    settings: { accountSid: SID, callsPerSecond: 1, baseUrl: null },
    others: { accountSid: [`AC${"b2".repeat(16)}`], callsPerSecond: [2], baseUrl: ["https://b.example"] },
    secrets: { authToken: "again" },
  },
  asterisk: {
    settings: {
      url: "https://a.example:8089",
      user: "u",
      context: "c",
      callsPerSecond: null,
      maxConcurrentCalls: null,
    },
    others: {
      url: ["https://b.example:8089"],
      user: ["v"],
      context: ["d"],
      callsPerSecond: [3],
      maxConcurrentCalls: [4],
    },
    secrets: { password: "again" },
  },
};

const MADE = "2026-01-01T00:00:00.000Z" as const;
const KINDS_OF_ALL: readonly Kind[] = ["model", "postgres", "twilio", "asterisk"];

function recordOf(kind: Kind): ConnectionRecord {
  const { settings } = EXAMPLES[kind];
  return {
    id: "conn_1",
    kind,
    name: "Ours",
    default: false,
    settings,
    createdAt: MADE,
    updatedAt: MADE,
  };
}

/** The refusal of a change, as its code and paths; else the changes. */
function outcomeOf(kind: Kind, settings: object, secrets?: object) {
  try {
    return changesOf(recordOf(kind), { settings, ...(secrets === undefined ? {} : { secrets }) });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { error: problem } = error.body;
    if (typeof problem === "string") throw error;
    const { code, details = [] } = problem;
    return [code, ...details.map(({ path }) => path.join("."))];
  }
}

const CASES = KINDS_OF_ALL.flatMap((kind) =>
  Object.entries(EXAMPLES[kind].others).flatMap(([name, values]) =>
    values.map((value: unknown) => ({ kind, name, value })),
  ),
);

describe("a changed setting", () => {
  it("has its role for every setting of every kind", () => {
    expect(Object.keys(KINDS).toSorted()).toEqual(KINDS_OF_ALL.toSorted());
    for (const kind of KINDS_OF_ALL)
      expect(Object.keys(SETTING_ROLES[kind]).toSorted()).toEqual(
        Object.keys(KINDS[kind].settings.shape).toSorted(),
      );
  });

  it.each(CASES)("of $kind, $name as $value, leads no secret to another place", ({ kind, name, value }) => {
    const { secrets } = EXAMPLES[kind];
    const role = new Map<string, string>(Object.entries(SETTING_ROLES[kind])).get(name);
    const alone = outcomeOf(kind, { [name]: value });
    const withSecrets = outcomeOf(kind, { [name]: value }, secrets);
    const immutable = ["CONNECTION_IMMUTABLE"];
    const changed = { settings: { [name]: value } };
    if (role === "identity") expect([alone, withSecrets]).toEqual([immutable, immutable]);
    else if (role === "address")
      expect([alone, withSecrets]).toEqual([["VALIDATION_ERROR", "secrets"], { ...changed, secrets }]);
    else expect([alone, withSecrets]).toEqual([changed, { ...changed, secrets }]);
  });

  it("is none where the value is as before: two changes at once bring old secrets to no new address", () => {
    for (const kind of KINDS_OF_ALL)
      expect(outcomeOf(kind, EXAMPLES[kind].settings)).toEqual({ settings: {} });
    expect(outcomeOf("model", { baseUrl: "https://a.example/v1/" })).toEqual({ settings: {} });
  });

  it("needs all secrets, not an empty list of them", () => {
    expect(outcomeOf("model", { baseUrl: "https://b.example" }, {})).toEqual(["VALIDATION_ERROR", "secrets"]);
  });

  it("is an address wherever its name says so", () => {
    const telling = /url|host|port|address|region|account|domain|server|proxy|tls|edge/i;
    for (const kind of KINDS_OF_ALL)
      for (const [name, role] of Object.entries(SETTING_ROLES[kind]))
        if (telling.test(name)) expect([kind, name, role]).not.toEqual([kind, name, "other"]);
  });
});
