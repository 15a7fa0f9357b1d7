import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { csvRecords } from "../../api/campaigns/csv-records.ts";
import { readContactsCsv } from "../../api/campaigns/read-contacts-csv.ts";
import type { NumberCountry } from "../../domain/shared/written-number.ts";

const FOLDER = join(import.meta.dirname, "../data/csv");

/** A contact: line, number (or the cell, and the number that it was read as), name, customData. */
type Contact = readonly [
  line: number,
  number: string | readonly [cell: string, number: string],
  name: string | null,
  customData: object,
];
type Refused = readonly [line: number, reason: string];

type Report = string | readonly (Contact | Refused)[];

/**
 * What comes of each file: the problem of the whole file, or its contacts and then its refused rows. The
 * country is "any" where it makes no difference between none and that of the file (TR).
 */
const EXPECTED: readonly (readonly [file: string, country: NumberCountry | null | "any", report: Report])[] =
  [
    ["apostrophe.csv", "any", [[2, "+905321112233", "Ayse", {}]]],
    ["arabic-digits.csv", null, [[2, "not_e164"]]],
    ["arabic-digits.csv", "TR", [[2, ["٠٥٣٢١١١٢٢٣٣", "+905321112233"], "Ayse", {}]]],
    [
      "backslash-escaped-quote.csv",
      "any",
      [
        [2, "+905321112233", 'Robert "Bob" Smith', {}],
        [3, "+905321112244", "Ali", {}],
      ],
    ],
    ["bom-in-middle.csv", "any", [[2, "+905321112233", "Ayse", {}]]],
    ["bom-utf8.csv", "any", [[2, "+905321112233", "Ayşe", {}]]],
    ["caret.csv", "any", [[2, "+905321112233", "Ayse", {}]]],
    [
      "comment-lines.csv",
      "any",
      [
        [3, "+905321112233", "Ayse", {}],
        [1, "bad_row"],
      ],
    ],
    [
      "cr-only.csv",
      "any",
      [
        [2, "+905321112233", "Ayse", {}],
        [3, "+905321112244", "Ali", {}],
      ],
    ],
    [
      "crcrlf.csv",
      "any",
      [
        [3, "+905321112233", "Ayse", {}],
        [5, "+905321112244", "Ali", {}],
      ],
    ],
    ["ctrl-z.csv", "any", [[2, "+905321112233", "Ayse", {}]]],
    ["double-encoded.csv", "any", [[2, "+905321112233", "AyÅŸe", {}]]],
    ["duplicate-header-case.csv", "any", [[2, "+905321112233", "Ayse", { City: "a", CITY: "b" }]]],
    ["duplicate-header.csv", "any", [[2, "+905321112233", "Ayse", { Email: "a@x", "Email (2)": "b@x" }]]],
    [
      "empty-rows-at-end.csv",
      "any",
      [
        [2, "+905321112233", "Ayse", { City: "X" }],
        [3, "missing_phone"],
        [4, "missing_phone"],
        [5, "missing_phone"],
      ],
    ],
    ["en-dash.csv", null, [[2, "not_e164"]]],
    ["en-dash.csv", "TR", [[2, ["0532–111–22–33", "+905321112233"], "Ayse", {}]]],
    ["extension-comma.csv", "any", [[2, "not_e164"]]],
    ["extension-ext.csv", "any", [[2, "not_e164"]]],
    ["extension-x.csv", "any", [[2, "not_e164"]]],
    [
      "facebook-leads.csv",
      "any",
      [
        [
          2,
          ["p:+905321112233", "+905321112233"],
          null,
          { id: "l:1", created_time: "2026-01-01T00:00:00+03:00", full_name: "Ayşe" },
        ],
      ],
    ],
    ["float-at.csv", "any", [[2, "spreadsheet_number"]]],
    [
      "float-de.csv",
      "any",
      [
        [2, "spreadsheet_number"],
        [3, "spreadsheet_number"],
        [4, "spreadsheet_number"],
      ],
    ],
    ["float-no-country.csv", "any", [[2, "spreadsheet_number"]]],
    [
      "float.csv",
      "any",
      [
        [2, "spreadsheet_number"],
        [3, "spreadsheet_number"],
      ],
    ],
    ["formula-text-quoted.csv", "any", [[2, "+905321112233", "Ayse", {}]]],
    [
      "formula-text-raw.csv",
      "any",
      [
        [2, "+905321112233", "Ayse", {}],
        [3, "+905321112244", "Ali", {}],
      ],
    ],
    ["fullwidth.csv", "any", [[2, ["＋９０５３２１１１２２３３", "+905321112233"], "Ayse", {}]]],
    [
      "google-contacts.csv",
      "any",
      "The column phone is missing; the header has Name, Given Name, Labels, E-mail 1 - Label, E-mail 1 - Value, Phone 1 - Label, Phone 1 - Value",
    ],
    ["hash-ref.csv", "any", [[2, "+905321112233", "#N/A", {}]]],
    ["header-Phone-Number-underscore.csv", "any", [[2, "+905321112233", "Ayse", {}]]],
    ["header-gsm.csv", "any", "The column phone is missing; the header has İsim, GSM"],
    ["header-mobile.csv", "any", "The column phone is missing; the header has Name, Mobile Phone"],
    ["header-phone-with-nbsp.csv", "any", [[2, "+905321112233", "Ayse", {}]]],
    [
      "header-repeated.csv",
      "any",
      [
        [2, "+905321112233", "Ayse", {}],
        [4, "+905321112244", "Ali", {}],
        [3, "not_e164"],
      ],
    ],
    [
      "header-telefon-numarasi.csv",
      "any",
      "The column phone is missing; the header has Ad Soyad, Telefon Numarası",
    ],
    ["html-xls.csv", "any", "Is a web page (HTML), not a text file: save it as CSV UTF-8"],
    ["hubspot-p.csv", "any", [[2, ["p:+905321112233", "+905321112233"], "Ayse", {}]]],
    ["invisible-202a-no-country.csv", "any", [[2, ["‪+905321112233‬", "+905321112233"], "Ayse", {}]]],
    ["invisible-202a.csv", "any", [[2, ["‪+905321112233‬", "+905321112233"], "Ayse", {}]]],
    ["labelled.csv", null, [[2, "not_e164"]]],
    ["labelled.csv", "TR", [[2, ["Tel: 0532 111 22 33", "+905321112233"], "Ayse", {}]]],
    ["macroman.csv", "any", [[2, "+905321112233", "JŸrgen", {}]]],
    [
      "missing-trailing-cells.csv",
      "any",
      [
        [2, "+905321112233", "Ayse", { City: "Izmir", Note: "x" }],
        [3, "too_few_cells"],
      ],
    ],
    ["mixed-sep-data.csv", "any", [[2, "+905321112233", "Ayse", { Amount: "1,5" }]]],
    ["nb-hyphen-2011.csv", "any", [[2, ["+1 415‑555‑2671", "+14155552671"], "Ayse", {}]]],
    ["nbsp-around.csv", "any", [[2, "+905321112233", "Ayse", {}]]],
    [
      "newline-in-quotes.csv",
      "any",
      [
        [2, "+905321112233", null, { Note: "line one\nline two" }],
        [4, "+905321112244", null, { Note: "x" }],
      ],
    ],
    ["nfd-header.csv", "any", [[2, "+905321112233", null, { Şehir: "İzmir" }]]],
    ["no-header.csv", "any", "The column phone is missing; the header has +905321112233, Ayse"],
    ["no-plus.csv", null, [[2, "not_e164"]]],
    ["no-plus.csv", "TR", [[2, ["905321112233", "+905321112233"], "A", {}]]],
    [
      "null-byte.csv",
      "any",
      [
        [3, "+905321112244", "Ali", {}],
        [2, "invalid_character"],
      ],
    ],
    [
      "outlook.csv",
      "any",
      "The column phone is missing; the header has Title, First Name, Last Name, Mobile Phone, Notes",
    ],
    ["phone-and-Phone-2.csv", "any", [[2, "+905321112233", "Ayse", { "Phone 2": "+905321112244" }]]],
    ["pipe.csv", "any", [[2, "+905321112233", "Ayse", {}]]],
    [
      "plus90-parens.csv",
      null,
      [
        [2, ["(+90) 532 111 22 33", "+905321112233"], "A", {}],
        [3, ["+90 (0) 532 111 22 33", "+905321112233"], "B", {}],
        [4, ["+90(0532)1112233", "+905321112233"], "C", {}],
        [5, "not_e164"],
      ],
    ],
    [
      "plus90-parens.csv",
      "TR",
      [
        [2, ["(+90) 532 111 22 33", "+905321112233"], "A", {}],
        [3, ["+90 (0) 532 111 22 33", "+905321112233"], "B", {}],
        [4, ["+90(0532)1112233", "+905321112233"], "C", {}],
        [5, ["00 90 532 111 22 33", "+905321112233"], "D", {}],
      ],
    ],
    ["quoted-all.csv", "any", [[2, "+905321112233", 'Ayşe "Gül" Kaya', {}]]],
    ["salesforce.csv", "any", [[2, "not_e164"]]],
    ["sci-no-country.csv", "any", [[2, "spreadsheet_number"]]],
    [
      "sci.csv",
      "any",
      [
        [2, "spreadsheet_number"],
        [3, "spreadsheet_number"],
        [4, "spreadsheet_number"],
        [5, "spreadsheet_number"],
      ],
    ],
    ["semicolon-with-commas-in-header.csv", "any", [[2, "+905321112233", null, { "Name, full": "Ayse" }]]],
    ["sep-line-semicolon.csv", "any", [[3, "+905321112233", "Ayse", {}]]],
    [
      "single-column.csv",
      "any",
      [
        [2, "+905321112233", null, {}],
        [3, "+905321112244", null, {}],
      ],
    ],
    ["spaces-inside-quotes.csv", "any", [[2, "+905321112233", "Ayse", {}]]],
    [
      "stray-quote-inch.csv",
      "any",
      [
        [2, "+905321112233", null, { Product: 'TV 55"' }],
        [3, "+905321112244", null, { Product: "Radio" }],
      ],
    ],
    [
      "stray-quote-nickname.csv",
      "any",
      [
        [2, "+905321112233", 'Robert "Bob" Smith', {}],
        [3, "+905321112244", "Ali", {}],
      ],
    ],
    ["tab-inside-quotes.csv", "any", [[2, "+905321112233", "Ayse", {}]]],
    [
      "thousands.csv",
      null,
      [
        [2, "not_e164"],
        [3, "not_e164"],
        [4, "not_e164"],
      ],
    ],
    [
      "thousands.csv",
      "TR",
      [
        [3, ["905 321 112 233", "+905321112233"], "B", {}],
        [4, ["905.321.112.233", "+905321112233"], "C", {}],
        [2, "not_e164"],
      ],
    ],
    [
      "title-line-above.csv",
      "any",
      [
        [4, "+905321112233", "Ayse", { City: "X" }],
        [1, "bad_row"],
        [2, "bad_row"],
      ],
    ],
    [
      "total-row.csv",
      "any",
      [
        [2, "+905321112233", "Ayse", {}],
        [3, "missing_phone"],
      ],
    ],
    [
      "trailing-delimiter-rows.csv",
      "any",
      [
        [2, "too_many_cells"],
        [3, "too_many_cells"],
      ],
    ],
    ["turkish-I-header.csv", "any", [[2, "+905321112233", null, { İSİM: "Ayşe" }]]],
    ["two-numbers-colons.csv", "any", [[2, "not_e164"]]],
    ["two-numbers-newline.csv", "any", [[2, "not_e164"]]],
    ["two-numbers-semicolon.csv", "any", [[2, "not_e164"]]],
    [
      "unclosed-quote.csv",
      "any",
      [
        [3, "+905321112244", "Veli", {}],
        [4, "+905321112255", "Can", {}],
        [2, "bad_row"],
      ],
    ],
    ["utf16be.csv", "any", [[2, "+905321112233", "Ayşe", {}]]],
    ["utf16le-nobom.csv", "any", [[2, "+905321112233", "Ayse", {}]]],
    ["utf16le-tab.csv", "any", [[2, "+905321112233", "Ayşe Yılmaz", {}]]],
    ["vertical-tab.csv", "any", [[2, "+905321112233", null, { Note: "a\u000bb" }]]],
    ["whatsapp-prefix.csv", "any", [[2, ["whatsapp:+905321112233", "+905321112233"], "Ayse", {}]]],
    ["win1252.csv", "any", [[2, "+905321112233", "Jürgen", {}]]],
    ["win1254.csv", null, [[2, "+905321112233", "Ayþe Yýlmaz ÝÐ", {}]]],
    ["win1254.csv", "TR", [[2, "+905321112233", "Ayşe Yılmaz İĞ", {}]]],
    [
      "xlsx.csv",
      "any",
      "Is an Excel workbook (.xlsx) or another archive, not a text file: save it as CSV UTF-8",
    ],
    ["zero-width-200b.csv", "any", [[2, ["+90532​1112233", "+905321112233"], "Ayse", {}]]],
  ];

function read(bytes: Uint8Array, country: NumberCountry | null, charset: string | null = null) {
  return readContactsCsv(bytes, {
    skipDuplicates: false,
    columns: {},
    defaultCountry: country,
    report: "first",
    charset,
    said: new Set(),
  });
}

function reportOf(bytes: Uint8Array, country: NumberCountry | null, charset: string | null = null): Report {
  const file = read(bytes, country, charset);
  if (!file.ok) return file.kind === "invalid" ? (file.details[0]?.message ?? "") : file.kind;
  const contacts = [...file.value.contacts].map(({ line = 0, phoneNumber, number, name, customData }) => {
    const to = number.ok ? number.value : number.reason;
    return [line, to === phoneNumber ? to : ([phoneNumber, to] as const), name, customData] as const;
  });
  return [
    ...contacts,
    ...Array.from(file.value.refusedRows, ({ line = 0, reason }) => [line, reason] as const),
  ];
}

describe("a file as people have it", () => {
  it.each(EXPECTED)("%s, numbers of %s", (name, country, report) => {
    const bytes = readFileSync(join(FOLDER, name));
    for (const of of country === "any" ? ([null, "TR"] as const) : [country])
      expect(reportOf(bytes, of)).toEqual(report);
  });

  it("has its report for each one that is kept", () => {
    const reported = new Set(EXPECTED.map(([name]) => name));
    expect([...reported].toSorted()).toEqual(readdirSync(FOLDER).toSorted());
  });
});

describe("the encoding of a file", () => {
  const name = (bytes: Uint8Array, charset: string | null = null, country: NumberCountry | null = null) => {
    const file = read(bytes, country, charset);
    if (!file.ok) return file;
    return [[...file.value.contacts].map((contact) => contact.name).join(), file.value.badCharacters];
  };
  const fileOf = (...names: readonly (string | Uint8Array)[]) =>
    Buffer.concat(names.flatMap((each) => [Buffer.from("\n+905321112233;"), Buffer.from(each)])).toString(
      "latin1",
    );
  const bytesOf = (...names: readonly (string | Uint8Array)[]) =>
    Buffer.from(`phone;name${fileOf(...names)}`, "latin1");
  const AYSE = Buffer.from([0x41, 0x79, 0xfe, 0x65]);

  it("is the charset that its content type declares", () => {
    expect(name(bytesOf(AYSE), "windows-1254")).toEqual(["Ayşe", 0]);
    expect(name(bytesOf(AYSE), "ISO-8859-9")).toEqual(["Ayşe", 0]);
    expect(name(Buffer.from("phone,name\n+905321112233,Ayşe", "utf16le"), "utf-16le")).toEqual(["Ayşe", 0]);
    expect(name(bytesOf(Buffer.from([0x4a, 0x9f, 0x72])), "macintosh")).toEqual(["Jür", 0]);
    expect(name(bytesOf("Ada"), "klingon")).toMatchObject({
      details: [{ path: ["file"], message: "Has a charset in its content type that is not known" }],
    });
  });

  it("is that of Turkey where its numbers are from there, and nothing says otherwise", () => {
    expect(name(bytesOf(AYSE), null, "TR")).toEqual(["Ayşe", 0]);
    expect(name(bytesOf(AYSE), null, "DE")).toEqual(["Ayþe", 0]);
    expect(name(bytesOf("Ayşe"), null, "TR")).toEqual(["Ayşe", 0]);
  });

  it("stays UTF-8 in spite of single bad bytes, which are counted", () => {
    expect(name(bytesOf("Ayşe", AYSE, "İlker"))).toEqual(["Ayşe,Ay\ufffde,İlker", 1]);
    expect(name(bytesOf("Ay\ufffdşe", AYSE))).toEqual(["Ay\ufffdşe,Ay\ufffde", 1]);
    expect(name(bytesOf(AYSE), "utf-8")).toEqual(["Ay\ufffde", 1]);
    expect(name(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytesOf(AYSE)]))).toEqual(["Ay\ufffde", 1]);
  });

  it.each([
    ["an old Excel workbook (.xls)", [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1]],
    ["a PDF", Buffer.from("%PDF-1.7\n")],
    ["a compressed file (gzip)", [0x1f, 0x8b, 0x08]],
    ["an image", [0x89, 0x50, 0x4e, 0x47]],
    ["an image", [0xff, 0xd8, 0xff, 0xe0]],
    ["a web page (HTML)", Buffer.from("\ufeff\n<!DOCTYPE html><html>")],
    ["XML", Buffer.from('<?xml version="1.0"?><Workbook>')],
    ["JSON", Buffer.from('{"contacts": []}')],
  ])("is none for %s, which is named", (kind, bytes) => {
    expect(reportOf(Buffer.from(bytes), null)).toBe(`Is ${kind}, not a text file: save it as CSV UTF-8`);
  });
});

describe("records of a file", () => {
  const records = (text: string) => [...csvRecords(text, ",")].map(({ line, cells }) => [line, cells]);

  it.each([
    [
      "a stray quote, and a quoted cell after it",
      'a,"b\n"c","d"\n',
      [
        [1, null],
        [2, ["c", "d"]],
      ],
    ],
    [
      "a quote that is never closed",
      'a,"b\nc,d\ne',
      [
        [1, null],
        [2, ["c", "d"]],
        [3, ["e"]],
      ],
    ],
    [
      "a cell of lines before one without an end",
      '"a\nb","c\nd',
      [
        [1, null],
        [3, ["d"]],
      ],
    ],
    ["quotes within quotes", '"a"b","c\\"d\\""', [[1, ['a"b', 'c"d"']]]],
    ["blanks around quotes", ' "a" ,\t"b"\t', [[1, ["a", "b"]]]],
    [
      "line ends of every kind",
      'a\r\nb\rc\n\n"d\r\ne\rf"\ng',
      [
        [1, ["a"]],
        [2, ["b"]],
        [3, ["c"]],
        [5, ["d\r\ne\rf"]],
        [8, ["g"]],
      ],
    ],
    [
      "empty cells",
      '"",\n,',
      [
        [1, ["", ""]],
        [2, ["", ""]],
      ],
    ],
  ])("%s", (_what, text, expected) => {
    expect(records(text)).toEqual(expected);
  });

  it.each([
    ["", ""],
    ['"', '"'],
    ['"\n', '"'],
  ])("cannot be read with a cell of more than 64 Ki characters (in %j)", (before, after) => {
    const cell = (length: number) => before + "a".repeat(length - before.length) + after;
    const longest = 64 * 1_024;
    const [kept] = records(`${cell(longest)},b\nc\n`);
    expect(kept?.[1]).toHaveLength(2);
    const rows = records(`${cell(longest + 2)},b\nc\n`);
    expect(rows[0]).toEqual([1, null]);
    expect(rows.at(-1)).toEqual([before.includes("\n") ? 3 : 2, ["c"]]);
  });

  it("are refused for signs without end where all of them are told with their cells", () => {
    const marks = "\u0301".repeat(8 * 1_024 * 1_024);
    const file = readContactsCsv(Buffer.from(`phone,name\n${marks}\n+905321112233,Ada\n`), {
      skipDuplicates: false,
      columns: {},
      defaultCountry: null,
      report: "rows",
      charset: null,
      said: new Set(),
    });
    expect(file).toMatchObject({ ok: true, value: { refusedRows: [{ line: 2, reason: "bad_row" }] } });
    expect(file.ok && [...file.value.contacts]).toMatchObject([{ line: 3, name: "Ada" }]);
  });

  it("are those of another reader where every quote stands as RFC 4180 says", () => {
    const cell = fc.oneof(
      fc.array(fc.constantFrom(...'ab ,;é"\n')).map((pieces) => `"${pieces.join("").replaceAll('"', '""')}"`),
      fc.array(fc.constantFrom(..."ab;é ")).map((pieces) => pieces.join("")),
    );
    const text = fc
      .array(
        fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(",")),
        { minLength: 1 },
      )
      .map((rows) => rows.join("\n"));
    fc.assert(
      fc.property(text, (file) => {
        const others: string[][] = parse(file, { relax_column_count: true, ltrim: true, rtrim: true });
        const trimmed = others.map((cells) => cells.map((each) => each.trim()));
        const ours = [...csvRecords(file, ",")].map(({ cells }) => cells);
        expect(ours.filter((cells) => cells?.join("") !== "")).toEqual(
          trimmed.filter((cells) => cells.join("") !== ""),
        );
      }),
      { numRuns: 1_000 },
    );
  });

  it("take work in proportion to the file, whatever its quotes", () => {
    const lines = 20_000;
    const millisOf = (text: string) => {
      const start = process.cpuUsage();
      for (const _ of csvRecords(text, ","));
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000;
    };
    const plain = millisOf("ab,cd\n".repeat(lines));
    for (const piece of ['a","\n', '""""b\n', '"a\n', '"\n', '"","\n', '"a"b\n', '","\n'])
      expect(millisOf(piece.repeat(lines)), JSON.stringify(piece)).toBeLessThan(20 * plain + 50);
  });
});

describe("two columns with the same name", () => {
  const twice = (said: readonly string[]) =>
    readContactsCsv(Buffer.from("phone,Email,Email,Email (2)\n+905321112233,a,b,c"), {
      skipDuplicates: false,
      columns: {},
      defaultCountry: null,
      report: "first",
      charset: null,
      said: new Set(said),
    });

  it("are both kept where no text says either", () => {
    const file = twice(["name"]);
    expect(file.ok && [...file.value.contacts][0]?.customData).toEqual({
      Email: "a",
      "Email (3)": "b",
      "Email (2)": "c",
    });
  });

  it("are refused where a text says one of them", () => {
    expect(twice(["email"])).toMatchObject({
      details: [{ path: ["file"], message: "The column Email stands twice, and a text says its value" }],
    });
  });
});
