import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { changedNumbers } from "../../api/body/changed-numbers.ts";
import { checkJson } from "../../api/body/check-json.ts";
import { checkList } from "../../api/body/check-list.ts";

const anything = z.record(z.string(), z.unknown());
const LIST = { name: "contacts", item: z.unknown(), rest: anything, most: 10 } as const;

function pathsOf(text: string) {
  const checked = checkJson(Buffer.from(text), anything);
  return checked.ok || checked.kind !== "invalid" ? [] : checked.details.map(({ path }) => path.join("."));
}

describe("a number in metadata or customData", () => {
  it.each([
    "17841400000000001",
    "12345678901234567890",
    "12.50",
    "1.0",
    "-0",
    "1e3",
    "0.0000001",
    "0.10000000000000000555",
    "-90071992547409931",
    "[1, 2.0]",
  ])("is refused at its path where it would not keep its digits: %s", (number) => {
    const place = number.startsWith("[") ? ".1" : "";
    expect(pathsOf(`{"metadata": {"a": {"lead": ${number}}}}`)).toEqual([`metadata.a.lead${place}`]);
    const taken: unknown[] = [];
    const list = checkList(
      Buffer.from(`{"contacts": [{"customData": {}}, {"customData": {"x":${number}}}]}`),
      LIST,
      (item) => taken.push(item),
    );
    expect(list).toMatchObject({
      ok: false,
      details: [
        {
          path: `contacts.1.customData.x${place}`
            .split(".")
            .map((part) => (/^\d$/.test(part) ? Number(part) : part)),
        },
      ],
    });
  });

  it.each([
    "12.5",
    "9007199254740991",
    "0",
    "-1.25",
    "0.000001",
    "1784140000000000",
    '"12.50"',
    '"17841400000000001"',
    "41.015137",
  ])("is taken where it keeps them: %s", (number) => {
    expect(pathsOf(`{"metadata": {"lead": ${number}}}`)).toEqual([]);
  });

  it("is not looked at elsewhere: a setting is a value", () => {
    expect(pathsOf('{"maxRetries": 2.0, "startAt": 1e3}')).toEqual([]);
  });

  it("comes back as it was given, or is refused: whatever digits it has", () => {
    const digits = fc.tuple(
      fc.constantFrom("", "-"),
      fc.oneof(fc.constant("0"), fc.stringMatching(/^[1-9]\d{0,20}$/)),
      fc.oneof(fc.constant(""), fc.stringMatching(/^\.\d{1,20}$/)),
      fc.oneof({ weight: 4, arbitrary: fc.constant("") }, fc.stringMatching(/^[eE][+-]?\d{1,2}$/)),
    );
    fc.assert(
      fc.property(digits, (parts) => {
        const number = parts.join("");
        const isKept = String(JSON.parse(number)) === number;
        expect(pathsOf(`{"metadata":{"n":${number}}}`)).toEqual(isKept ? [] : ["metadata.n"]);
      }),
      { numRuns: 3_000 },
    );
  });

  it("is told at most a hundred times", () => {
    expect(changedNumbers(`{"metadata":[${"1.0,".repeat(500)}1]}`)).toHaveLength(100);
  });
});
