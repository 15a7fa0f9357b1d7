import { describe, expect, it } from "vitest";
import { changesOf, newOf } from "../../dashboard/src/pages/connections/kinds.ts";
import { daysOf } from "../../dashboard/src/pages/overview/days-left.ts";
import { numberIn, pathOf } from "../../dashboard/src/shell/palette/hits.ts";

const charge = (amount: number) => ({ cause: "charge" as const, amount });
const days = (...calls: readonly number[]) => ({ days: calls.map((each) => ({ calls: each })) });

describe("how long credits last", () => {
  it("is what a call cost lately, as often as since the first call of the week", () => {
    expect(daysOf(100, [charge(-2), charge(-4), { cause: "top_up", amount: 90 }], days(0, 0, 10, 30))).toBe(
      100 / (3 * 20),
    );
  });

  it("is not known before anything was spent, and nothing when nothing is left", () => {
    expect(daysOf(100, [], days(1))).toBeNull();
    expect(daysOf(100, [charge(-1)], days(0, 0))).toBeNull();
    expect(daysOf(-3, [charge(-1)], days(5))).toBe(0);
  });
});

describe("the form of a connection", () => {
  const fields = (values: Readonly<Record<string, string>>) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(values)) form.set(name, value);
    return form;
  };

  it("has the API's types, and leaves out what is empty", () => {
    const filled = fields({
      "settings.host": " db ",
      "settings.port": "5432",
      "settings.database": "a",
      "settings.user": "b",
    });
    expect(newOf("postgres", filled).settings).toEqual({
      host: "db",
      port: 5432,
      database: "a",
      user: "b",
      tls: false,
    });
    const trunk = fields({ "settings.url": "https://pbx", "settings.user": "u", "settings.context": "c" });
    expect(newOf("asterisk", trunk).settings).toEqual({ url: "https://pbx", user: "u", context: "c" });
  });

  it("does not send again what never changes, takes away what was emptied, and keeps a secret that is left empty", () => {
    const trunk = fields({ "settings.user": "u", "settings.context": "c", "secrets.password": "" });
    expect(changesOf("asterisk", trunk).settings).toEqual({
      user: "u",
      context: "c",
      callsPerSecond: null,
      maxConcurrentCalls: null,
    });
    expect(changesOf("asterisk", trunk).secrets).toEqual({});
    expect(changesOf("model", fields({ "secrets.apiKey": "k" })).secrets).toEqual({ apiKey: "k" });
  });
});

describe("the palette", () => {
  it("knows a whole number however it is written", () => {
    expect(["+90 532 (111) 22‑33", "+0532", "532", "Ada"].map(numberIn)).toEqual([
      "+905321112233",
      null,
      null,
      null,
    ]);
  });

  it("leads to what was found", () => {
    const hit = { id: "x" };
    expect(pathOf("contacts", { ...hit, campaignId: "cmp_1" })).toBe("/campaigns/cmp_1?contact=x");
    expect(pathOf("contacts", hit)).toBeNull();
    expect(pathOf("phoneNumbers", hit)).toBe("/phone-numbers");
  });
});
