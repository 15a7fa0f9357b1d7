import type { NumberRecord } from "../../../contract/number.ts";

export type NumberContact = NumberRecord["contacts"][number];
/** A number that an import refused has no contact. */
export type NumberVerdict = NumberRecord["verdicts"][number];

/** Newest first, at most NUMBER_ROWS each. */
export type NumberHistory = Pick<NumberRecord, "contacts" | "verdicts">;

export const NUMBER_ROWS = 200;
