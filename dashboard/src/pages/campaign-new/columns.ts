import type { ColumnRole } from "../../../../contract/campaign-import.ts";

/** The column of the file for each meaning; "": none. */
export type Columns = Readonly<Record<ColumnRole, string>>;

/** What says that somebody agreed to be called; the first two belong to every consent. */
export const CONSENT_ROLES = [
  "consentSource",
  "consentAt",
  "consentExpiresAt",
  "consentReference",
] as const satisfies readonly ColumnRole[];

export const NO_COLUMNS: Columns = {
  phone: "",
  name: "",
  timezone: "",
  externalId: "",
  consentSource: "",
  consentAt: "",
  consentExpiresAt: "",
  consentReference: "",
};

/** Some of the consent is there, and this column that it needs is not. */
export function isConsentWithout(columns: Columns, role: ColumnRole): boolean {
  if (role !== "consentSource" && role !== "consentAt") return false;
  return columns[role] === "" && CONSENT_ROLES.some((each) => columns[each] !== "");
}
