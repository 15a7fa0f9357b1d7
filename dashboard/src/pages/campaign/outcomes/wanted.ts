import type { ContactOutcome } from "../../../../../contract/outcome.ts";
import { CALLBACK, OPTED_OUT } from "../states.ts";

/** `callId`: the call that brought it. */
export type ContactBrought = NonNullable<ContactOutcome> & { readonly callId: string };

/** By id of the contact. */
export type ContactOutcomes = ReadonlyMap<string, ContactBrought>;

const OUTCOME = "outcome.";

/** `success=true` or `outcome.confirmed=true`, as the query of the API names it. */
export const wantedSuccess = (success: boolean): string => `success=${success}`;
export const wantedValue = (name: string, value: string): string => `${OUTCOME}${name}=${value}`;

/** Whether a contact brought this home, by the rule of the API. */
export function isBrought(wanted: string, outcome: ContactOutcome | undefined): boolean {
  const cut = wanted.indexOf("=");
  const name = wanted.slice(0, cut);
  const value = wanted.slice(cut + 1);
  if (outcome === null || outcome === undefined) return false;
  if (name === "success") return String(outcome.success) === value;
  const own = name.startsWith(OUTCOME) ? outcome.fields[name.slice(OUTCOME.length)] : undefined;
  return own !== undefined && String(own) === value;
}

/** The file of the shown contacts, as the API is asked for it. */
export function exportPath(id: string, status: string | undefined, brought: string | undefined): string {
  const query = new URLSearchParams();
  if (status === OPTED_OUT) query.set("optedOut", "true");
  else if (status === CALLBACK) query.set("nextAttemptCause", "callback");
  else if (status !== undefined) query.set("status", status);
  if (brought !== undefined) {
    const cut = brought.indexOf("=");
    query.set(brought.slice(0, cut), brought.slice(cut + 1));
  }
  const text = query.toString();
  return `/api/v1/campaigns/${id}/contacts.csv${text === "" ? "" : `?${text}`}`;
}
