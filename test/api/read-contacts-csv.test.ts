import { describe, expect, it } from "vitest";
import type { ReadingOptions } from "../../api/body/reading-options.ts";
import { readContactsCsv } from "../../api/campaigns/read-contacts-csv.ts";

const OPTIONS: ReadingOptions = {
  skipDuplicates: false,
  columns: {},
  defaultCountry: null,
  report: "first",
  charset: null,
  said: new Set(),
};

function read(text: string, changes: Partial<ReadingOptions> = {}) {
  return readContactsCsv(Buffer.from(text), { ...OPTIONS, ...changes });
}

function contactsOf(text: string, changes: Partial<ReadingOptions> = {}) {
  const file = read(text, changes);
  if (!file.ok) throw new Error(JSON.stringify(file));
  return [...file.value.contacts].map(({ number, name, customData, timezone, externalId }) => {
    const phone = number.ok ? number.value : number.reason;
    return { phone, name, customData, timezone, externalId };
  });
}

function refusalsOf(text: string, changes: Partial<ReadingOptions> = {}) {
  const file = read(text, changes);
  if (!file.ok) throw new Error(JSON.stringify(file));
  return Array.from(file.value.refusedRows, ({ line, reason }) => [line, reason]);
}

function problemOf(text: string, changes: Partial<ReadingOptions> = {}) {
  const file = read(text, changes);
  return !file.ok && file.kind === "invalid" ? file.details[0] : null;
}

const ROW = "+905321112233";

describe("named columns", () => {
  it("are where the settings say; zone and external id are customData keys as well", () => {
    const columns = { phone: "Cep", name: "Müşteri", timezone: "Saat dilimi", externalId: "No" };
    const text = `No,Müşteri,Cep,Saat dilimi,name,phone\n7,Ayşe,${ROW},Asia/Kolkata,Other,none`;
    expect(contactsOf(text, { columns })).toEqual([
      {
        phone: ROW,
        name: "Ayşe",
        timezone: "Asia/Kolkata",
        externalId: "7",
        customData: { No: "7", "Saat dilimi": "Asia/Kolkata", name: "Other", phone: "none" },
      },
    ]);
  });

  it("are found as they are written first, else in another case, with white space around them", () => {
    expect(contactsOf(`Cep,CEP,x\n${ROW},1,2`, { columns: { phone: " Cep " } })[0]?.phone).toBe(ROW);
    expect(contactsOf(`CEP,x\n${ROW},1`, { columns: { phone: "cep" } })[0]?.phone).toBe(ROW);
    expect(problemOf(`CEP,Cep\n${ROW},1`, { columns: { phone: "cep" } })?.path).toEqual(["file"]);
  });

  it.each(["phone", "name", "timezone", "externalId"])(
    "that are not in the file are refused at columns.%s",
    (role) => {
      expect(problemOf(`phone,city\n${ROW},x`, { columns: { [role]: "nowhere" } })).toEqual({
        path: ["settings", "columns", role],
        message: "The file has no such column; the header has phone, city",
      });
    },
  );

  it("of time zones reject a row whose zone is none, and take an empty cell for none", () => {
    const text = `phone,tz\n${ROW},Mars/Olympus\n${ROW},\n${ROW},+03:00\n${ROW},Europe/Rome`;
    expect(contactsOf(text, { columns: { timezone: "tz" } }).map(({ timezone }) => timezone)).toEqual([
      null,
      "Europe/Rome",
    ]);
    expect(refusalsOf(text, { columns: { timezone: "tz" } })).toEqual([
      [2, "bad_timezone"],
      [4, "bad_timezone"],
    ]);
  });

  it("of time zones reject a row with an abbreviation, whose place may be another", () => {
    const text = `phone,tz\n${["BST", "EST", "GB", "Europe/London", "UTC"].map((tz) => `${ROW},${tz}`).join("\n")}`;
    expect(refusalsOf(text, { columns: { timezone: "tz" } }).map(([line]) => line)).toEqual([2, 3, 4]);
  });

  it("of external ids reject a row whose id is too long", () => {
    const text = `phone,id\n${ROW},${"é".repeat(255)}\n${ROW},${"x".repeat(256)}`;
    expect(refusalsOf(text, { columns: { externalId: "id" } })).toEqual([[3, "external_id_too_long"]]);
  });

  describe("of consent", () => {
    const columns = {
      consentSource: "source",
      consentAt: "since",
      consentExpiresAt: "until",
      consentReference: "proof",
    };
    const header = "phone,source,since,until,proof";
    const consentsOf = (rows: readonly string[]) => {
      const file = read(`${header}\n${rows.map((row) => `${ROW},${row}`).join("\n")}`, { columns });
      if (!file.ok) throw new Error(JSON.stringify(file));
      return [...file.value.contacts].map(({ consent }) => consent);
    };

    it("give what their cells say, and nothing where all four are empty", () => {
      expect(
        consentsOf([
          "Web form,2026-08-20T12:15:00+03:00,2028-08-20T09:15:00Z,crm/4711",
          ",,,",
          "Phone,2026-08-20T09:15Z,,",
        ]),
      ).toEqual([
        {
          source: "Web form",
          at: "2026-08-20T09:15:00.000Z",
          expiresAt: "2028-08-20T09:15:00.000Z",
          reference: "crm/4711",
        },
        undefined,
        { source: "Phone", at: "2026-08-20T09:15:00.000Z" },
      ]);
    });

    it.each([
      ["no source", ",2026-08-20T09:15:00Z,,"],
      ["no time", "Web form,,,"],
      ["a proof alone", ",,,crm/4711"],
      ["a date without a time", "Web form,2026-08-20,,"],
      ["a day of no calendar", "Web form,2026-02-30T09:15:00Z,,"],
      ["an end that is no time", "Web form,2026-08-20T09:15:00Z,soon,"],
      ["an end at its beginning", "Web form,2026-08-20T09:15:00Z,2026-08-20T09:15:00Z,"],
      ["a source that is too long", `${"x".repeat(256)},2026-08-20T09:15:00Z,,`],
      ["a proof that is too long", `Web form,2026-08-20T09:15:00Z,,${"x".repeat(256)}`],
    ])("reject a row with %s", (_, cells) => {
      expect(refusalsOf(`${header}\n${ROW},${cells}\n${ROW},,,,`, { columns })).toEqual([[2, "bad_consent"]]);
    });
  });

  it("are only customData where nobody names them", () => {
    expect(contactsOf(`phone,timezone,externalId\n${ROW},Nowhere,7`)).toMatchObject([
      { timezone: null, externalId: null, customData: { timezone: "Nowhere", externalId: "7" } },
    ]);
  });
});

describe("the column of the phone", () => {
  it.each(["Phone Number", "phonenumber", "TEL", " Telefon "])("may be called %s", (name) => {
    expect(contactsOf(`name,${name}\nAda,${ROW}`)).toMatchObject([{ phone: ROW, customData: {} }]);
  });

  it("is the one called phone where there is one, whatever the others are called", () => {
    expect(contactsOf(`tel,Phone,telefon\n1,${ROW},2`)).toMatchObject([
      { phone: ROW, customData: { tel: "1", telefon: "2" } },
    ]);
  });

  it("is not guessed among two", () => {
    expect(problemOf(`tel,Telefon\n${ROW},1`)).toEqual({
      path: ["file"],
      message: "The columns tel and Telefon may both be the phone; name one in settings.columns.phone",
    });
    expect(contactsOf(`tel,Telefon\n1,${ROW}`, { columns: { phone: "Telefon" } })[0]?.phone).toBe(ROW);
  });
});

describe("numbers of a country", () => {
  it("are read where one is named; without one only E.164 is", () => {
    const text = "phone\n0532 111 22 33\n9.05E+11\n01.02.2024\n0100 000 00 00";
    expect(contactsOf(text, { defaultCountry: "TR" }).map(({ phone }) => phone)).toEqual([ROW]);
    expect(refusalsOf(text, { defaultCountry: "TR" })).toEqual([
      [3, "spreadsheet_number"],
      [4, "not_e164"],
      [5, "not_possible"],
    ]);
    expect(refusalsOf(text).map(([, reason]) => reason)).toEqual([
      "not_e164",
      "spreadsheet_number",
      "not_e164",
      "not_e164",
    ]);
  });

  it("lose one leading apostrophe before + only", () => {
    const text = "phone\n'+90 532 111 22 33\n'0532 111 22 33";
    expect(contactsOf(text, { defaultCountry: "TR" }).map(({ phone }) => phone)).toEqual([ROW]);
    expect(refusalsOf(text, { defaultCountry: "TR" })).toEqual([[3, "not_e164"]]);
  });

  it("repeat each other however they are written", () => {
    const text = "phone\n0532 111 22 33\n+905321112233\n905321112233";
    const file = read(text, { defaultCountry: "TR", skipDuplicates: true });
    expect(file).toMatchObject({ ok: true, value: { refusedInAll: { count: 2, duplicates: { count: 2 } } } });
  });

  it("are read in a bounded number of different cells", () => {
    const text = `phone\n${Array.from({ length: 20_001 }, (_, index) => `x${index}`).join("\n")}`;
    expect(problemOf(text, { defaultCountry: "TR" })?.message).toBe(
      "Holds more than 20,000 different cells where a number should stand",
    );
    expect(read(text).ok).toBe(true);
  });

  it("stand beside a bounded number of different zones", () => {
    const rows = Array.from({ length: 2_001 }, (_, index) => `${ROW},a${index}`);
    expect(
      problemOf(`phone,timezone\n${rows.join("\n")}`, { columns: { timezone: "timezone" } })?.message,
    ).toBe("Holds more than 2,000 different time zones");
  });
});

describe("refused rows", () => {
  it("are named up to 100, or all of them, or with their cells, guarded", () => {
    const rows = Array.from({ length: 150 }, (_, index) => `${index},=${index}`);
    const text = ["phone,@note", ...rows].join("\n");
    expect(refusalsOf(text)).toHaveLength(100);
    expect(refusalsOf(text, { report: "all" })).toHaveLength(150);
    const file = read(text, { report: "rows" });
    const lines = file.ok ? file.value.lines : null;
    expect(lines?.header).toBe(`"phone","'@note"\n`);
    expect(contactsOf(`phone,'@note\n${ROW},'=1`)).toMatchObject([{ customData: { "@note": "=1" } }]);
    expect(lines?.byIndex.get(149)).toBe(`"149","'=149"\n`);
  });

  it("are bounded when all are asked for", () => {
    const text = `phone\n${"1\n".repeat(100_001)}`;
    const file = read(text, { report: "rows" });
    expect(file).toMatchObject({ ok: true, value: { refusedInAll: { count: 100_001 } } });
    expect(file.ok && [...file.value.refusedRows].length).toBe(100_000);
    expect(file.ok && file.value.lines?.byIndex.size).toBe(100_000);
  });
});
