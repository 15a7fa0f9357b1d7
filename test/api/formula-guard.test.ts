import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { guarded, jsonCell, textCell, unguarded } from "../../api/campaigns/formula-guard.ts";
import { readContactsCsv } from "../../api/campaigns/read-contacts-csv.ts";

/** What a program sees in a line that it separates at this character and whose quotes it does not know. */
const parts = (cell: string, separator: string | RegExp) => cell.slice(1, -1).split(separator);
const FORMULA = /^[\s"\u200b\ufeff]*[=+\-@\uff1d\uff0b]/;

/** Of a whole cell: its own quotes are known to every program. */
const WHOLE = /^[\s\u200b\ufeff]*[=+\-@\uff1d\uff0b]/;

const hostile = fc
  .array(
    fc.constantFrom(
      ..."=+-@;,\t\r\n'\" ax1".split(""),
      "\u200b",
      "\uff1d",
      "\uff0b",
      "\u3000",
      "cmd|",
      "é",
      "\u{1f600}",
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(""));

describe("a text in a download", () => {
  it.each([
    ["Ali;=cmd|'/c calc'!A1", "Ali;'=cmd|'/c calc'!A1"],
    ["a\t@b", "a\t'@b"],
    ["a\r\n-b", "a\r\n'-b"],
    ["=1,+2", "'=1,'+2"],
    ['x;"=1"', `x;'"=1"`],
    ["a-b; c", "a-b; c"],
  ])("%j is written %j", (text, written) => {
    expect(guarded(text)).toBe(written);
  });

  it("is no formula wherever a program separates cells", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const cell = textCell(text);
        for (const separator of [";", ",", "\t", /[\r\n]/])
          for (const [place, part] of parts(cell, separator).entries())
            expect((place === 0 ? WHOLE : FORMULA).test(place === 0 ? guarded(text) : part)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it("comes back as it was", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(unguarded(guarded(text))).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it("comes back as it was by an import of the file", () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 1, maxLength: 4 }), (given) => {
        const texts = given.map((text) => text.trim());
        const rows = texts.map((text) => `+905321112233,${textCell(text)},${textCell(text)}`);
        const file = readContactsCsv(Buffer.from(["phone,name,note", ...rows].join("\n")), {
          skipDuplicates: false,
          columns: {},
          defaultCountry: null,
          report: "first",
          charset: null,
          said: new Set(),
        });
        if (!file.ok) throw new Error(JSON.stringify(file));
        const read = [...file.value.contacts].map(({ name, customData }) => [name ?? "", customData["note"]]);
        expect(read).toEqual(texts.map((text) => [text, text]));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("JSON in a download", () => {
  it("stays the same JSON and begins no formula in a text", () => {
    fc.assert(
      fc.property(fc.dictionary(hostile, fc.oneof(hostile, fc.array(hostile), fc.integer())), (data) => {
        const cell = jsonCell(JSON.stringify(data));
        const [[back = ""] = []] = parse(cell) as string[][];
        expect(JSON.parse(back)).toEqual(JSON.parse(JSON.stringify(data)));
        const numbers = /^-\d+[,}\]]?/;
        for (const separator of [";", ",", "\t"])
          for (const part of parts(cell, separator))
            expect(FORMULA.test(part) && !numbers.test(part)).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});
