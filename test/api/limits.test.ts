import { describe, expect, it } from "vitest";
import { checkJson } from "../../api/body/check-json.ts";
import { bodySchemas } from "../../api/body-checks/body-schemas.ts";

/** Paths of everything that is wrong with a body. */
function problems(schema: string, body: unknown): (readonly (string | number)[])[] {
  const found = bodySchemas[schema];
  if (found === undefined) throw new Error(`No schema ${schema}`);
  const checked = checkJson(Buffer.from(JSON.stringify(body)), found);
  if (checked.ok) return [];
  return checked.kind === "invalid" ? checked.details.map(({ path }) => path) : [["INVALID_JSON"]];
}

const CAMPAIGN = {
  name: "c",
  phoneNumberId: "pn_x",
  assistantId: "ast_x",
  contacts: [{ phoneNumber: "+15005550006" }],
};
const CALL = { phoneNumberId: "pn_x", assistantId: "ast_x", to: "+15005550006" };
const ASSISTANT = { name: "a", greetingMessage: "", systemPrompt: "" };
const object = (bytes: number) => ({ k: "x".repeat(bytes - '{"k":""}'.length) });
const contacts = (count: number) => Array.from({ length: count }, () => ({ phoneNumber: "+15005550006" }));

const WITH_HOURS = { ...CAMPAIGN, callWindowStart: 9, callWindowEnd: 18 };
const dates = (count: number) =>
  Array.from({ length: count }, (_, day) => new Date(day * 86_400_000).toISOString().slice(0, 10));

const TOOL = { name: "t", type: "API_REQUEST" };
const QUERY_TOOL = { name: "t", type: "DATABASE_QUERY" };
/** Configs of so many bytes as JSON by their names: no value alone has too much. */
const requestOf = (bytes: number) => {
  const config = { url: "https://a.example/", method: "GET", query: { "": "" } };
  return { ...config, query: { ["q".repeat(bytes - JSON.stringify(config).length)]: "" } };
};
const queryOf = (bytes: number) => {
  const config = { query: "SELECT 1", parameters: { "": "" } };
  return { ...config, parameters: { ["p".repeat(bytes - JSON.stringify(config).length)]: "" } };
};

/** Schema, body, field, values that pass, values that do not. */
const BOUNDS: readonly (readonly [string, object, string, readonly unknown[], readonly unknown[]])[] = [
  [
    "createCampaign",
    CAMPAIGN,
    "name",
    ["x", "x".repeat(255), "😀".repeat(255)],
    ["", "x".repeat(256), 1, null],
  ],
  ["createCampaign", CAMPAIGN, "contacts", [contacts(1), contacts(10_000)], [[], contacts(10_001), {}, null]],
  ["createCampaign", CAMPAIGN, "maxRetries", [1, 10, null], [0, 11, 1.5, "3"]],
  ["createCampaign", CAMPAIGN, "retryIntervalMins", [1, 1440, null], [0, 1441, 0.5]],
  ["createCampaign", CAMPAIGN, "maxConcurrentCalls", [1, 5000, null], [0, -1, 1.5]],
  ["createCampaign", CAMPAIGN, "maxCallsPerSecond", [0.000_001, 0.1, 100, null], [0, -1, 5e-324]],
  ["createCampaign", CAMPAIGN, "ringTimeoutSeconds", [10, 120], [9, 121]],
  [
    "createCampaign",
    CAMPAIGN,
    "timezone",
    ["Europe/Istanbul", "UTC"],
    ["Europe/Nowhere", "", 3, "BST", "EST", "MST", "SystemV/EST5", "Etc/GMT+3", "US/Eastern"],
  ],
  ["createTool", TOOL, "config", [requestOf(65_536)], [requestOf(65_537)]],
  ["createTool", QUERY_TOOL, "config", [queryOf(65_536)], [queryOf(65_537)]],
  ["changeTool", {}, "config", [requestOf(65_536), queryOf(65_536)], [requestOf(65_537), queryOf(65_537)]],
  ["changeCampaign", {}, "timezone", ["Europe/Istanbul", "UTC"], ["Europe/Nowhere", "BST", "EST"]],
  ["createCampaign", WITH_HOURS, "callWindowStartMinute", [0, 59], [-1, 60, 0.5, "1", null]],
  ["createCampaign", WITH_HOURS, "callWindowEndMinute", [0, 59], [-1, 60, 0.5, "1", null]],
  [
    "createCampaign",
    CAMPAIGN,
    "callWindowDays",
    [null, [7], [5, 1, 3], [1, 2, 3, 4, 5, 6, 7]],
    [[], [1, 1], "1", 1, {}],
  ],
  [
    "createCampaign",
    CAMPAIGN,
    "callWindowExcludedDates",
    [[], ["2028-02-29", "2026-12-25", "2026-12-25"], dates(100)],
    [dates(101), null, "2026-12-25"],
  ],
  ["createCampaign", CAMPAIGN, "greetingMessage", ["x".repeat(4096)], ["x".repeat(4097), "ş".repeat(2049)]],
  ["createCampaign", CAMPAIGN, "specialInstructions", ["x".repeat(32_768)], ["x".repeat(32_769)]],
  ["createCampaign", CAMPAIGN, "metadata", [{}, object(16_384), null], [object(16_385), [], "x"]],
  ["createCampaign", CAMPAIGN, "skipDuplicates", [true, false], ["true", 1]],
  [
    "startOutboundCall",
    CALL,
    "to",
    ["+15005550006", "+905321112233"],
    ["15005550006", "+0500", "+1500555000", 5, "+1".padEnd(17, "5")],
  ],
  ["startOutboundCall", CALL, "metadata", [object(16_384)], [object(16_385)]],
  ["createAssistant", ASSISTANT, "maxDurationSeconds", [10, 7200], [9, 7201]],
  ["createAssistant", ASSISTANT, "temperature", [0, 2, null], [-0.1, 2.1]],
  ["createAssistant", ASSISTANT, "systemPrompt", ["x".repeat(32_768)], ["x".repeat(32_769)]],
  ["createAssistant", ASSISTANT, "silenceTimeoutSeconds", [3, 60], [2, 61, 3.5, null]],
  ["createAssistant", ASSISTANT, "endSilenceMs", [200, 2000], [199, 2001, "500"]],
  ["createAssistant", ASSISTANT, "fallbackMessage", ["", "x".repeat(4_096), null], ["x".repeat(4_097), 1]],
  ["createAssistant", ASSISTANT, "recordingNotice", ["", "x".repeat(4_096), null], ["x".repeat(4_097), 1]],
  ["createAssistant", ASSISTANT, "optOut", ["listen", "off"], ["on", null]],
  ["createAssistant", ASSISTANT, "optOutDigit", ["0", "9", "*", null], ["", "#", "10", 9]],
  [
    "createAssistant",
    ASSISTANT,
    "callback",
    [null, {}, { maxDays: 1, maxPerContact: 1 }, { maxDays: 60, maxPerContact: 5 }],
    [true, "yes", 14, []],
  ],
  ["createAssistant", ASSISTANT, "optOutMessage", ["x", "x".repeat(500), null], ["", "x".repeat(501), 1]],
  ["createAssistant", ASSISTANT, "recording", ["on", "off", null], ["yes", true]],
  ["createAssistant", ASSISTANT, "interruptible", [true, false], ["true", null]],
  ["createAssistant", ASSISTANT, "voicemailPolicy", ["hang_up", "leave_message", "ignore"], ["shout"]],
  ["rotateWebhookSecret", {}, "overlapSeconds", [0, 604_800], [-1, 604_801]],
  ["topUp", { amount: 1, reference: "r" }, "amount", [0.0001, 1_000_000_000], [0, -1, 0.00001, 1e10]],
  ["putSecret", {}, "value", ["", "x"], [undefined, 3]],
  ["startOutboundCall", CALL, "metadata", [object(16_384)], [object(16_385)]],
];

describe.each(BOUNDS)("%s %#", (schema, body, field, passing, failing) => {
  it(`takes ${field} at both ends of its bounds, and nothing beyond`, () => {
    for (const value of passing) expect(problems(schema, { ...body, [field]: value })).toEqual([]);
    for (const value of failing) expect(problems(schema, { ...body, [field]: value })).toEqual([[field]]);
  });
});

it("says why the name of a zone is not taken", () => {
  const schema = bodySchemas["createCampaign"];
  const said = (timezone: string) => {
    const body = Buffer.from(JSON.stringify({ ...CAMPAIGN, timezone }));
    const checked = schema === undefined ? null : checkJson(body, schema);
    return checked?.ok === false && checked.kind === "invalid" ? checked.details[0]?.message : null;
  };
  expect(said("EST")).toContain("have no summer time: write the zone of the place");
  expect(said("BST")).toContain("can mean another place: write the IANA name with its region");
  expect(said("Europe/Nowhere")).toContain("Not a known IANA time zone");
});

describe("the call window", () => {
  const windows = (callWindowStart: unknown, callWindowEnd: unknown) =>
    problems("createCampaign", { ...CAMPAIGN, callWindowStart, callWindowEnd });

  it("takes two different hours, or none", () => {
    for (const [start, end] of [
      [0, 23],
      [22, 6],
      [null, null],
      [undefined, undefined],
    ]) {
      expect(windows(start, end)).toEqual([]);
    }
  });

  it("refuses one alone, two equal ones, and hours that are none", () => {
    expect(windows(9, undefined)).toEqual([["callWindowEnd"]]);
    expect(windows(null, 9)).toEqual([["callWindowEnd"]]);
    expect(windows(9, 9)).toEqual([["callWindowEnd"]]);
    expect(windows(24, -1)).toEqual([["callWindowStart"], ["callWindowEnd"]]);
  });

  it("refuses equal hours whatever the minutes, and minutes without hours", () => {
    const minutes = { callWindowStartMinute: 0, callWindowEndMinute: 30 };
    const body = { ...CAMPAIGN, ...minutes, callWindowDays: [1] };
    expect(problems("createCampaign", body)).toEqual([["callWindowStartMinute"], ["callWindowEndMinute"]]);
    const equal = { ...CAMPAIGN, ...minutes, callWindowStart: 9, callWindowEnd: 9 };
    expect(problems("createCampaign", equal)).toEqual([["callWindowEnd"]]);
  });

  it("names the day and the date that is none", () => {
    const body = {
      ...CAMPAIGN,
      callWindowDays: [1, 8, "2"],
      callWindowExcludedDates: ["2026-12-25", "2026-02-29", "25.12.2026", "2026-1-1"],
    };
    expect(problems("createCampaign", body)).toEqual([
      ["callWindowDays", 1],
      ["callWindowDays", 2],
      ["callWindowExcludedDates", 1],
      ["callWindowExcludedDates", 2],
      ["callWindowExcludedDates", 3],
    ]);
  });
});

describe("contacts", () => {
  const contact = (fields: object) =>
    problems("createCampaign", { ...CAMPAIGN, contacts: [...contacts(7), fields] });

  it("need a phoneNumber that is text; whether it can be called is judged later", () => {
    expect(contact({})).toEqual([["contacts", 7, "phoneNumber"]]);
    expect(contact({ phoneNumber: 905321112233 })).toEqual([["contacts", 7, "phoneNumber"]]);
    expect(contact({ phoneNumber: "not a number" })).toEqual([]);
  });

  it("are bounded field by field", () => {
    const phoneNumber = "+15005550006";
    expect(contact({ phoneNumber, name: "x".repeat(255), customData: object(16_384) })).toEqual([]);
    expect(contact({ phoneNumber, name: "x".repeat(256) })).toEqual([["contacts", 7, "name"]]);
    expect(contact({ phoneNumber, customData: object(16_385) })).toEqual([["contacts", 7, "customData"]]);
    expect(contact({ phoneNumber, timezone: "Mars/Base" })).toEqual([["contacts", 7, "timezone"]]);
    expect(contact({ phoneNumber, timezone: "BST" })).toEqual([["contacts", 7, "timezone"]]);
    expect(contact({ phoneNumber, nmae: "x" })).toEqual([["contacts", 7, "nmae"]]);
  });

  it("tell all their problems at once, at most 100", () => {
    const many = { ...CAMPAIGN, maxRetires: 3, contacts: Array.from({ length: 500 }, () => ({})) };
    const found = problems("createCampaign", many);
    expect(found).toHaveLength(100);
  });
});

describe("any body", () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

  it("is nested 20 levels deep and no deeper", () => {
    expect(problems("startOutboundCall", { ...CALL, metadata: nested(19) })).toEqual([]);
    const deep = problems("startOutboundCall", { ...CALL, metadata: nested(20) });
    expect(deep).toEqual([["metadata", ...Array.from({ length: 19 }, () => "a")]]);
  });

  it("is an object", () => {
    for (const body of [[], "text", 3, true, null]) expect(problems("startOutboundCall", body)).toEqual([[]]);
  });

  it("holds no U+0000, no half surrogate, no __proto__ and no number beyond all numbers, wherever they stand", () => {
    const schema = bodySchemas["startOutboundCall"];
    const at = (json: string) => {
      const text = JSON.stringify({ ...CALL, metadata: 0 }).replace('"metadata":0', `"metadata":${json}`);
      const checked = schema === undefined ? null : checkJson(Buffer.from(text), schema);
      return checked?.ok === false && checked.kind === "invalid"
        ? checked.details.map(({ path }) => path)
        : [];
    };
    expect(at('{"a":["\\u0000"]}')).toEqual([["metadata", "a", 0]]);
    expect(at('{"a":"\\ud800"}')).toEqual([["metadata", "a"]]);
    expect(at('{"\\u0000":1}')).toEqual([["metadata", "\u0000"]]);
    expect(at('{"__proto__":{"x":1}}')).toContainEqual(["metadata", "__proto__"]);
    expect(at('{"a":"\\ud83d\\ude00"}')).toEqual([]);
    expect(at('{"a":[-1e400]}')).toEqual([["metadata", "a", 0]]);
    expect(at(`{"a":${"9".repeat(400)}}`)).toEqual([["metadata", "a"]]);
    expect(at('{"a":[1e+308,-1,0],"toJSON":1,"constructor":2}')).toEqual([]);
    expect(at(`{"a":[1e308,-0,${"9".repeat(300)}]}`)).toEqual(
      [0, 1, 2].map((place) => ["metadata", "a", place]),
    );
  });

  it("is UTF-8", () => {
    const schema = bodySchemas["startOutboundCall"];
    const latin1 = Buffer.from('{"to":"é"}', "latin1");
    expect(schema === undefined ? null : checkJson(latin1, schema)).toMatchObject({ kind: "invalid_json" });
  });
});

/** What is said about a body. */
function said(schema: string, body: unknown): readonly string[] {
  const found = bodySchemas[schema];
  if (found === undefined) throw new Error(`No schema ${schema}`);
  const checked = checkJson(Buffer.from(JSON.stringify(body)), found);
  return checked.ok || checked.kind !== "invalid" ? [] : checked.details.map(({ message }) => message);
}

it("a tool's config that is too large is told so by its change too", () => {
  expect(said("changeTool", { config: requestOf(65_537) })).toEqual(["Must have at most 64 KiB as JSON"]);
});

describe("how many there may be is said in our words", () => {
  const many = (count: number) => Array.from({ length: count }, (_, index) => String(index));
  const FIELD = { name: "plan", type: "enum", description: "Which plan", values: ["gold", "silver"] };
  const withValues = (values: readonly string[]) => ({
    ...ASSISTANT,
    outcome: { fields: [{ ...FIELD, values }] },
  });
  const withSuccess = (values: readonly string[]) => ({
    ...ASSISTANT,
    outcome: { fields: [FIELD], success: { field: "plan", in: values } },
  });
  it.each([
    ["an enum's values", "createAssistant", withValues(["one"]), "Must have 2 to 20 values"],
    ["an enum's values", "createAssistant", withValues(many(21)), "Must have 2 to 20 values"],
    ["what is a success", "createAssistant", withSuccess([]), "Must have 1 to 20 values"],
    ["what is a success", "createAssistant", withSuccess(many(21)), "Must have 1 to 20 values"],
    [
      "an assistant's tools",
      "createAssistant",
      { ...ASSISTANT, toolIds: many(101) },
      "Must have at most 100 values",
    ],
    [
      "an outcome's fields",
      "createAssistant",
      { ...ASSISTANT, outcome: { fields: many(21).map((name) => ({ ...FIELD, name: `n${name}` })) } },
      "Must have at most 20 values",
    ],
    ["an API key", "startSession", { apiKey: "" }, "Must have at least 1 character"],
    ["an API key", "startSession", { apiKey: "x".repeat(513) }, "Must have at most 512 characters"],
    [
      "a connection's calls a second",
      "createConnection",
      {
        kind: "twilio",
        name: "t",
        settings: { accountSid: `AC${"0".repeat(32)}`, callsPerSecond: 1_001 },
        secrets: { authToken: "0".repeat(32) },
      },
      "Must be at most 1000",
    ],
  ])("%s", (_what, schema, body, message) => {
    expect(said(schema, body)).toContain(message);
    expect(said(schema, body).join()).not.toMatch(/too (small|big)/i);
  });
});
