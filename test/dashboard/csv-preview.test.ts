import { describe, expect, it } from "vitest";
import { zoneOfBrowser, zonesToOffer } from "../../dashboard/src/calling/zones.ts";
import { NO_COLUMNS } from "../../dashboard/src/pages/campaign-new/columns.ts";
import { emptyDraft, namedAfter, settingsOf } from "../../dashboard/src/pages/campaign-new/draft.ts";
import { unfilledKeys } from "../../dashboard/src/pages/campaign-new/placeholders.ts";
import {
  contactOf,
  guessColumns,
  isSpoilt,
  needsCountry,
  readContacts,
} from "../../dashboard/src/pages/campaign-new/read-file.ts";
import { zoneProblem } from "../../domain/campaign/window/taken-zone.ts";

const fileOf = (...parts: (string | Uint8Array<ArrayBuffer>)[]) => new File(parts, "contacts.csv");

describe("the beginning of a CSV file", () => {
  it.each([",", ";", "\t"])("is read with the delimiter %j, quotes and all", async (delimiter) => {
    const row = ["+905321112233", '"Ayşe, ""A."""', "2 Eylül"].join(delimiter);
    const read = await readContacts(fileOf(`Telefon${delimiter}Ad${delimiter}date\r\n${row}\r\n`));
    expect(read.header).toEqual(["Telefon", "Ad", "date"]);
    expect(read.rows).toEqual([{ Telefon: "+905321112233", Ad: 'Ayşe, "A."', date: "2 Eylül" }]);
    const columns = guessColumns(read.header);
    expect(columns).toEqual({ ...NO_COLUMNS, phone: "Telefon", name: "Ad" });
    expect(contactOf(read.rows[0] ?? {}, columns)).toEqual({
      phoneNumber: "+905321112233",
      name: 'Ayşe, "A."',
      customData: { date: "2 Eylül" },
    });
  });

  it("has the columns of a consent only where both that every consent needs are named", () => {
    const consent = {
      consentSource: "Consent Source",
      consentAt: "consent_at",
      consentReference: "consentReference",
    };
    const header = ["phone", ...Object.values(consent)];
    expect(guessColumns(header)).toEqual({ ...NO_COLUMNS, phone: "phone", ...consent });
    expect(guessColumns(["phone", "consent_at", "consentReference"])).toEqual({
      ...NO_COLUMNS,
      phone: "phone",
    });
  });

  it("names Windows-1252, also where only the last byte tells it", async () => {
    const start = `phone,name\n${"+905321112233,Ada\n".repeat(5_000)}+905321112233,Jos`;
    const read = await readContacts(fileOf(start, new Uint8Array([0xe9])));
    expect(read.isWindows1252).toBe(true);
    expect((await readContacts(fileOf(start, "é"))).isWindows1252).toBe(false);
  });

  it("shows no half row and no half letter of a long file", async () => {
    const long = "é".repeat(3_000);
    const read = await readContacts(fileOf(`phone,name\n${`+905321112233,${long}\n`.repeat(100)}`));
    expect(read.rows.length).toBeGreaterThan(5);
    expect(new Set(read.rows.map(({ name }) => name))).toEqual(new Set([long]));
  });

  it("takes a byte order mark for no part of the first name", async () => {
    expect((await readContacts(fileOf("\u{feff}phone,name\n+905321112233,Ada\n"))).header).toEqual([
      "phone",
      "name",
    ]);
  });

  it("counts every row, and finds numbers without a country wherever they stand", async () => {
    const many = "+905321112233,Ada\n".repeat(900);
    const read = await readContacts(fileOf(`phone,name\n${many}0532 111 22 33,Bo\n"9.05E+11,Cy`));
    expect([read.rowCount, read.rows.length]).toEqual([902, 200]);
    expect(read.national).toEqual({ phone: "0532 111 22 33" });
    expect(read.spoilt).toEqual({});
    expect((await readContacts(fileOf("phone\n9.05E+11\n"))).spoilt).toEqual({ phone: "9.05E+11" });
  });

  it.each([
    ["9.05E+11", true, false],
    ["9,05E+11", true, false],
    ["05321112233", false, true],
    ["(0532) 111 22 33", false, true],
    ["+905321112233", false, false],
    ["12.05.2024", false, false],
    ["2024-05-12", false, false],
    ["1299.90", false, false],
    ["12 apples", false, false],
    ["532\u2011111\u00a022\u00a033", false, true],
    ["", false, false],
  ])("%j: spoilt %s, needs a country %s", (cell, spoilt, local) => {
    expect(isSpoilt(cell)).toBe(spoilt);
    expect(needsCountry(cell)).toBe(local);
  });
});

describe("a draft", () => {
  it("names the keys that a contact leaves open", () => {
    const contact = { phoneNumber: "", name: "Ada", customData: { Date: "2 May", city: "" } };
    expect(unfilledKeys("{{ name }} {{date}} {{city}} {{shop}} {{shop}}", contact)).toEqual(["city", "shop"]);
    expect(unfilledKeys("{{city|home}} {{ shop | here }} {{a\\|b}}", contact)).toEqual(["a|b"]);
  });

  it("asks for nothing that was left empty, and for numbers as numbers", () => {
    const draft = {
      ...emptyDraft(),
      name: " May ",
      timezone: "Europe/Istanbul",
      callWindowStart: "09:00",
      callWindowEnd: "18:30",
      callWindowDays: [1, 2],
      callWindowExcludedDates: "2026-12-25, 2027-01-01",
      maxRetries: "two",
      maxConcurrentCalls: "5",
      columns: { ...NO_COLUMNS, phone: "tel" },
    };
    expect(settingsOf(draft)).toEqual({
      name: "May",
      timezone: "Europe/Istanbul",
      callWindowStart: 9,
      callWindowStartMinute: 0,
      callWindowEnd: 18,
      callWindowEndMinute: 30,
      callWindowDays: [1, 2],
      callWindowExcludedDates: ["2026-12-25", "2027-01-01"],
      maxRetries: "two",
      maxConcurrentCalls: 5,
      retryOn: emptyDraft().retryOn,
      columns: { phone: "tel" },
    });
  });
});

describe("the zones that the wizard offers", () => {
  /** What Firefox names beside places. */
  const aliases = ["CET", "CST6CDT", "EST", "EST5EDT", "Etc/GMT+1", "Etc/UTC", "GMT", "MST", "UTC"];

  it("are all that the service takes, and only these", () => {
    const offered = zonesToOffer([...Intl.supportedValuesOf("timeZone"), ...aliases]);
    expect(offered.filter((name) => zoneProblem(name) !== null)).toEqual([]);
    expect(offered.length).toBeGreaterThan(400);
    expect(offered.filter((name) => name === "UTC")).toHaveLength(1);
  });

  it("begin with the browser's own, and with none where that is an alias", () => {
    expect(["Europe/London", "UTC", ...aliases.slice(0, -1)].map(zoneOfBrowser)).toEqual([
      "Europe/London",
      "UTC",
      ...aliases.slice(0, -1).map(() => ""),
    ]);
  });
});

it.each([
  ["", null, "recalls"],
  ["contacts", fileOf(""), "recalls"],
  ["", fileOf(""), "recalls"],
  ["November", fileOf(""), "November"],
])(
  "a campaign named %j is named after a newly chosen file only where nobody named it",
  (name, file, then) => {
    expect(namedAfter({ name, file }, new File([], "recalls.csv"))).toBe(then);
  },
);
