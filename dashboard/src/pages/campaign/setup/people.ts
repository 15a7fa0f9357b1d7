import { contactRecords } from "../../../../../api/campaigns/contact-records.ts";
import { decodeCsv } from "../../../../../api/campaigns/decode-csv.ts";
import type { BodyOf, DataOf, RouteAt } from "../../../../../contract/asking.ts";
import { typedNumbers } from "../../../records/typed-number.ts";
import { CONSENT_ROLES, type Columns, NO_COLUMNS } from "../../campaign-new/columns.ts";
import { guessColumns } from "../../campaign-new/read-file.ts";

type Person =
  BodyOf<RouteAt<"POST", "/api/v1/campaigns/:id/contacts">>["contacts"] extends Iterable<infer One>
    ? One
    : never;

/** A person of a list, and the line that they stand on. */
type Listed = { readonly line: number; readonly person: Person };

/** People of a text: lines of a number and a name, or a table with a header, as a file of a new one has. */
export function peopleOf(text: string): readonly Listed[] {
  const rows = [...contactRecords(text)].flatMap(({ line, cells }) =>
    cells === null ? [] : [{ line, cells }],
  );
  const header = rows[0]?.cells ?? [];
  const columns = guessColumns(header);
  if (columns.phone === "")
    return rows.flatMap(({ line, cells }) => {
      const [phoneNumber = "", name = ""] = parted(cells);
      const person = personOf({ ...NO_COLUMNS, phone: phoneNumber, name }, {});
      return phoneNumber.trim() === "" ? [] : [{ line, person }];
    });
  const own = new Set(Object.values(columns));
  return rows.slice(1).map(({ line, cells }) => {
    const cell = (column: string) => (column === "" ? "" : (cells[header.indexOf(column)] ?? ""));
    const rest = header.flatMap((column, place) =>
      own.has(column) || column === "" ? [] : [[column, cells[place] ?? ""] as const],
    );
    const found: Columns = {
      phone: cell(columns.phone),
      name: cell(columns.name),
      timezone: cell(columns.timezone),
      externalId: cell(columns.externalId),
      consentSource: cell(columns.consentSource),
      consentAt: cell(columns.consentAt),
      consentExpiresAt: cell(columns.consentExpiresAt),
      consentReference: cell(columns.consentReference),
    };
    return { line, person: personOf(found, Object.fromEntries(rest)) };
  });
}

/** Lines that were typed may each have a separator of their own. */
function parted(cells: readonly string[]): readonly string[] {
  return cells.length > 1 ? cells : (cells[0] ?? "").split(/[,;\t]/);
}

/** `cells`: by what they mean; "": there is none. */
function personOf(cells: Columns, customData: Readonly<Record<string, string>>): Person {
  const { phone, name, timezone, externalId } = cells;
  const consent = consentOf(cells);
  return {
    phoneNumber: phone.trim(),
    ...(name === "" ? {} : { name: name.trim() }),
    ...(timezone === "" ? {} : { timezone }),
    ...(externalId === "" ? {} : { externalId }),
    ...(consent === null ? {} : { consent }),
    customData,
  };
}

/** null: the row says nothing of it. */
function consentOf(cells: Columns): Person["consent"] {
  if (CONSENT_ROLES.every((role) => cells[role].trim() === "")) return null;
  const orNull = (text: string) => (text.trim() === "" ? null : text.trim());
  return {
    source: cells.consentSource.trim(),
    at: cells.consentAt.trim(),
    expiresAt: orNull(cells.consentExpiresAt),
    reference: orNull(cells.consentReference),
  };
}

type Rejected = DataOf<RouteAt<"POST", "/api/v1/campaigns/:id/contacts">>["rejectedContacts"];

export type AddReport = {
  readonly rejected: Rejected;
  /** Numbers that were written otherwise than in E.164. */
  readonly normalized: number;
};

type ReadPeople = { readonly kept: readonly Listed[]; readonly report: AddReport };

/** The people whose numbers can be read, those in E.164; and who is left out, by line. */
export async function readPeople(people: readonly Listed[], country: string): Promise<ReadPeople> {
  const numbers = await typedNumbers(
    people.map(({ person }) => person.phoneNumber),
    country,
  );
  const kept: Listed[] = [];
  const items: Rejected["items"][number][] = [];
  let normalized = 0;
  for (const [index, { line, person }] of people.entries()) {
    const { phoneNumber } = person;
    const read = numbers[index]?.read;
    if (read?.ok !== true) {
      const reason = phoneNumber === "" ? "missing_phone" : (read?.reason ?? "not_e164");
      items.push({ index: line - 1, line, phoneNumber, reason });
      continue;
    }
    if (read.value !== phoneNumber) normalized += 1;
    kept.push({ line, person: { ...person, phoneNumber: read.value } });
  }
  return { kept, report: { rejected: { count: items.length, items }, normalized } };
}

/** With those whom the service refused, at the lines on which they stand. */
export function withRefused({ kept, report }: ReadPeople, refused: Rejected): AddReport {
  const more = refused.items.map((item) => {
    const line = kept[item.index]?.line ?? item.index + 1;
    return { ...item, index: line - 1, line };
  });
  const items = [...report.rejected.items, ...more].toSorted((one, other) => one.index - other.index);
  return { ...report, rejected: { count: report.rejected.count + refused.count, items } };
}

/** As the import of a file reads it. */
export async function textOfFile(file: File): Promise<string> {
  return decodeCsv(new Uint8Array(await file.arrayBuffer()), { charset: null, country: null }).text;
}
