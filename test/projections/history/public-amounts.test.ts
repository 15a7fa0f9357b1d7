import { describe, expect, it } from "vitest";
import { z } from "zod";
import { creditUnits } from "../../../infrastructure/log/stored/fields.ts";
import { storedTypes } from "../../../infrastructure/log/stored/stored-types.ts";
import { AMOUNTS, historyRecord, inCredits } from "../../../projections/history/history-record.ts";

/** Dotted paths of everything that the stored form declares as an amount. */
function amountsIn(schema: unknown, path: readonly string[] = []): string[] {
  if (schema === creditUnits) return [path.join(".")];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([name, inner]) => amountsIn(inner, [...path, name]));
  if (schema instanceof z.ZodArray) return amountsIn(schema.element, [...path, "[]"]);
  if (schema instanceof z.ZodType && "innerType" in schema.def) return amountsIn(schema.def.innerType, path);
  return [];
}

describe("amounts in public events", () => {
  it("are known wherever the stored form has one", () => {
    const stored = Object.entries(storedTypes).flatMap(([type, { schema }]) => {
      const places = amountsIn(schema);
      return places.length === 0 ? [] : [[type, places]];
    });
    expect(stored.length).toBeGreaterThan(4);
    expect(AMOUNTS).toEqual(Object.fromEntries(stored));
  });

  it("are credits with four decimals, and nothing else changes", () => {
    const data = { cost: 12_345, callId: "call_1", evidence: { availableCredits: 1 } };
    expect(inCredits("CallCompleted", data)).toEqual({ ...data, cost: 1.2345 });
    expect(inCredits("ContactDialed", data)).toEqual({ ...data, evidence: { availableCredits: 0.0001 } });
    expect(inCredits("CallConnected", data)).toBe(data);
  });

  it("are left as they are where somebody wrote something else", () => {
    for (const data of [{}, { cost: "free" }, { evidence: null }])
      for (const type of Object.keys(AMOUNTS)) expect(inCredits(type, data)).toEqual(data);
  });
});

it("a public event says whether a key did it or a process of ours", () => {
  const by = (actor: string) =>
    historyRecord({
      stream: "call-call_1",
      revision: 0,
      position: "1",
      type: "CallRinging",
      data: {},
      created: "2026-09-01T10:00:00.000Z",
      metadata: { owner: "usr_1", actor, correlationId: "c", causationId: null, schemaVersion: 1 },
    }).actor;
  expect([by("process:call-watchdog"), by("key_1"), by("key_process:")]).toEqual([
    { kind: "process", id: "call-watchdog" },
    { kind: "key", id: "key_1" },
    { kind: "key", id: "key_process:" },
  ]);
});
