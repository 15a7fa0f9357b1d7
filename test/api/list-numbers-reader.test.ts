import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contactRecords } from "../../api/campaigns/contact-records.ts";
import { UnreadableFile } from "../../api/campaigns/unreadable-file.ts";
import { type NumbersOptions, numbersReader } from "../../api/suppression-lists/numbers-reader.ts";
import { recordStream } from "../../api/suppression-lists/record-stream.ts";
import { type NumberCountry, readWrittenNumber } from "../../domain/shared/written-number.ts";

const PLAIN: NumbersOptions = { defaultCountry: null, charset: null };
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** In parts of these lengths, the last one again and again. */
function readIn(bytes: Uint8Array, lengths: readonly number[], options = PLAIN) {
  const reader = numbersReader(options);
  for (let from = 0, at = 0; from < bytes.length; at += 1) {
    const length = lengths[Math.min(at, lengths.length - 1)] ?? bytes.length;
    reader.push(bytes.subarray(from, from + length));
    from += length;
  }
  return reader.end();
}
const read = (text: string, options = PLAIN) => readIn(bytesOf(text), [], options);
const numbersOf = (text: string, options = PLAIN) => [...read(text, options).numbers];

/** The whole text at once, with the library alone. */
function plainReading(text: string, country: NumberCountry | null) {
  const [, ...rows] = contactRecords(text);
  const read = rows.map(({ cells }) =>
    cells?.length === 2 ? readWrittenNumber(cells[1] ?? "", country) : null,
  );
  const numbers = read.flatMap((number) => (number?.ok === true ? [Number(number.value.slice(1))] : []));
  return { numbers: [...new Set(numbers)].toSorted((a, b) => a - b), rejected: read.length - numbers.length };
}

describe("a file of numbers", () => {
  const cell = fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 99 }).map((last) => `+1202555${1000 + last}`) },
    fc.constantFrom(
      "+90 532 111 22 33",
      "0532 111 22 44",
      "9.05E+11",
      "",
      "n/a",
      "+1",
      "+4401234567890",
      "'+905321112255",
    ),
    fc.string({ maxLength: 12, unit: "binary-ascii" }).map((text) => text.replaceAll(/["\0\r\n,]/g, "")),
  );
  const note = fc.oneof(
    fc.constant(""),
    fc.constant('"two\r\nlines"'),
    fc.constant('"a ""b"", c"'),
    fc.constant('TV 55"'),
  );
  const row = fc.tuple(note, cell, fc.boolean(), fc.constantFrom("\r\n", "\n"));
  const files = fc
    .array(row, { maxLength: 40 })
    .map(
      (rows) =>
        `note,phone\r\n${rows.map(([first, text, quoted, end]) => `${first},${quoted ? `"${text}"` : text}${end}`).join("")}`,
    );

  it("is read in parts of any length as the whole text is, number by number", () => {
    fc.assert(
      fc.property(
        files,
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }),
        fc.constantFrom(null, "TR" as const),
        (text, lengths, defaultCountry) => {
          const bytes = bytesOf(text);
          const { numbers, rejected, sha256, duplicates } = readIn(bytes, lengths, {
            ...PLAIN,
            defaultCountry,
          });
          const plain = plainReading(text, defaultCountry);
          expect([...numbers]).toEqual(plain.numbers);
          expect(rejected.count).toBe(plain.rejected);
          expect(numbers.length + duplicates + rejected.count).toBe([...contactRecords(text)].length - 1);
          expect(sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
        },
      ),
      { numRuns: 150 },
    );
  });

  it("of more than a window is read by records as the whole text is, with their lines", () => {
    const odd = ['"two\nlines",x', 'TV 55",y', '"never closed,z', "", "a;b", '"q""q",w'];
    const lines = Array.from({ length: 25_000 }, (_, index) =>
      index % 997 === 0 ? (odd[index % odd.length] ?? "") : `+1202555${index},n`,
    );
    const text = ["phone,note", ...lines].join("\r\n");
    const records: unknown[] = [];
    const stream = recordStream(null, (record) => records.push(record));
    const bytes = bytesOf(text);
    for (let from = 0; from < bytes.length; from += 100_000)
      stream.push(bytes.subarray(from, from + 100_000));
    stream.end();
    expect(JSON.stringify(records)).toBe(JSON.stringify([...contactRecords(text)]));
    // A window is 262,208 characters.
    expect(text.length).toBeGreaterThan(400_000);
  });

  it("has a column phone among others, or only one, with or without a header", () => {
    expect(numbersOf("Name;Phone\nAda;+905321112233\n")).toEqual([905321112233]);
    expect(numbersOf("anything\n+905321112233\n")).toEqual([905321112233]);
    expect(numbersOf("+905321112244\n+905321112233")).toEqual([905321112233, 905321112244]);
    expect(() => read("name,notes\nAda,x\n")).toThrow(UnreadableFile);
    expect(() => read("phone,phone\n+905321112233,+905321112244\n")).toThrow("stands twice");
  });

  it("may have a mark, be UTF-16, say its delimiter, and end as DOS ended files", () => {
    expect(numbersOf("\ufeffphone\r\n+905321112233\r\n\u001a")).toEqual([905321112233]);
    expect(numbersOf("sep=|\nnote|phone\nx|+905321112233\n")).toEqual([905321112233]);
    const utf16 = Buffer.from("\ufeffphone\n+905321112233\n", "utf16le");
    expect([...readIn(utf16, [3, 5]).numbers]).toEqual([905321112233]);
    expect(() => readIn(Buffer.from("PK\u0003\u0004 a workbook"), [])).toThrow("Excel");
  });

  it("is told row by row what has no number, the first 100, by line", () => {
    const { rejected, duplicates } = read("phone\n+905321112233\n\nn/a\n+905321112233\n+99912345678\n+1,x\n");
    expect(duplicates).toBe(1);
    expect(rejected).toEqual({
      count: 3,
      items: [
        { line: 4, phoneNumber: "n/a", reason: "not_e164" },
        { line: 6, phoneNumber: "+99912345678", reason: "not_possible" },
        { line: 7, phoneNumber: "+1", reason: "too_many_cells" },
      ],
    });
    const many = read(`phone\n${"x\n".repeat(500)}`);
    expect([many.rejected.count, many.rejected.items.length]).toEqual([500, 100]);
  });

  it("of nothing but line ends takes no longer than another of its size", () => {
    const started = performance.now();
    const file = readIn(bytesOf(`phone${"\n".repeat(2_000_000)}+905321112233`), [256 * 1024]);
    expect([...file.numbers]).toEqual([905321112233]);
    // Read anew for each part it would take minutes.
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  it("is refused at once when it can no more be taken, and where a row has no end", () => {
    expect(() => read(`phone\n${"x\n".repeat(60_000)}`)).toThrow("rows have no number");
    expect(() => readIn(bytesOf(`phone\n${"1,".repeat(400_000)}`), [100_000])).toThrow("on line 2");
  });
});
