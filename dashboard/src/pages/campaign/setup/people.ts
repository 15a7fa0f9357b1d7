import { contactRecords } from "../../../../../api/campaigns/contact-records.ts";
import { decodeCsv } from "../../../../../api/campaigns/decode-csv.ts";
import type { BodyOf, RouteAt } from "../../../../../contract/asking.ts";
import { guessColumns } from "../../campaign-new/read-file.ts";

type Person =
  BodyOf<RouteAt<"POST", "/api/v1/campaigns/:id/contacts">>["contacts"] extends Iterable<infer One>
    ? One
    : never;

/** People of a text: lines of a number and a name, or a table with a header, as a file of a new one has. */
export function peopleOf(text: string): readonly Person[] {
  const rows = [...contactRecords(text)].flatMap(({ cells }) => (cells === null ? [] : [cells]));
  const [header = []] = rows;
  const columns = guessColumns(header);
  if (columns.phone === "")
    return rows.flatMap(([phoneNumber = "", name = ""]) =>
      phoneNumber.trim() === "" ? [] : [personOf({ phoneNumber, name, timezone: "", externalId: "" }, {})],
    );
  const own = new Set(Object.values(columns));
  return rows.slice(1).map((cells) => {
    const cell = (column: string) => (column === "" ? "" : (cells[header.indexOf(column)] ?? ""));
    const rest = header.flatMap((column, place) =>
      own.has(column) || column === "" ? [] : [[column, cells[place] ?? ""] as const],
    );
    const { phone, name, timezone, externalId } = columns;
    return personOf(
      {
        phoneNumber: cell(phone),
        name: cell(name),
        timezone: cell(timezone),
        externalId: cell(externalId),
      },
      Object.fromEntries(rest),
    );
  });
}

type Cells = Readonly<Record<"phoneNumber" | "name" | "timezone" | "externalId", string>>;

function personOf(
  { phoneNumber, name, timezone, externalId }: Cells,
  customData: Readonly<Record<string, string>>,
): Person {
  return {
    phoneNumber: phoneNumber.trim(),
    ...(name === "" ? {} : { name: name.trim() }),
    ...(timezone === "" ? {} : { timezone }),
    ...(externalId === "" ? {} : { externalId }),
    customData,
  };
}

/** As the import of a file reads it. */
export async function textOfFile(file: File): Promise<string> {
  return decodeCsv(new Uint8Array(await file.arrayBuffer()), { charset: null, country: null }).text;
}
