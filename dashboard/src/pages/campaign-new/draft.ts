import type { Columns } from "./columns.ts";
import type { ReadContacts } from "./read-file.ts";

/** All inputs, as in the controls. Kept while the wizard is open, also after a refusal. */
export type Draft = {
  readonly file: File | null;
  readonly read: ReadContacts | null;
  readonly columns: Columns;
  readonly defaultCountry: string;
  readonly name: string;
  readonly assistantId: string;
  readonly phoneNumberId: string;
  readonly greetingMessage: string;
  readonly specialInstructions: string;
  readonly timezone: string;
  readonly callWindowStart: string;
  readonly callWindowStartMinute: string;
  readonly callWindowEnd: string;
  readonly callWindowEndMinute: string;
  readonly callWindowDays: readonly number[];
  readonly callWindowExcludedDates: string;
  readonly maxConcurrentCalls: string;
  readonly maxCallsPerSecond: string;
  readonly maxRetries: string;
  readonly retryIntervalMins: string;
  readonly startAt: string;
  readonly skipDuplicates: boolean;
};

export type Change = (change: Partial<Draft>) => void;

export const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7] as const;

/** What the service takes as the name of a place: continents and oceans. A browser also names aliases. */
const PLACE = /^(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\//;

/** Of the zones that a browser names those that the service takes, with UTC. */
export function zonesToOffer(names: readonly string[]): readonly string[] {
  return [...names.filter((name) => PLACE.test(name)), "UTC"];
}

/** Empty where the browser's zone is no place: what the service takes then stands in its warnings. */
export function zoneOfBrowser(name: string): string {
  return name === "UTC" || PLACE.test(name) ? name : "";
}

export function emptyDraft(): Draft {
  return {
    file: null,
    read: null,
    columns: { phone: "", name: "", timezone: "", externalId: "" },
    defaultCountry: "",
    name: "",
    assistantId: "",
    phoneNumberId: "",
    greetingMessage: "",
    specialInstructions: "",
    timezone: zoneOfBrowser(Intl.DateTimeFormat().resolvedOptions().timeZone),
    callWindowStart: "",
    callWindowStartMinute: "",
    callWindowEnd: "",
    callWindowEndMinute: "",
    callWindowDays: EVERY_DAY,
    callWindowExcludedDates: "",
    maxConcurrentCalls: "",
    maxCallsPerSecond: "",
    maxRetries: "",
    retryIntervalMins: "",
    startAt: "",
    skipDuplicates: false,
  };
}

/**
 * The `settings` of POST /campaigns/import. Empty fields are left out; text that is not a number is sent as
 * it is, so that the service reports it.
 */
export function settingsOf(draft: Draft): Readonly<Record<string, unknown>> {
  const { phone, name, timezone, externalId } = draft.columns;
  const hasHours = draft.callWindowStart.trim() !== "" || draft.callWindowEnd.trim() !== "";
  const dates = draft.callWindowExcludedDates.split(/[\s,;]+/).filter((date) => date !== "");
  return withoutEmpty({
    name: draft.name.trim(),
    assistantId: draft.assistantId,
    phoneNumberId: draft.phoneNumberId,
    greetingMessage: draft.greetingMessage,
    specialInstructions: draft.specialInstructions,
    timezone: draft.timezone.trim(),
    ...(hasHours
      ? {
          callWindowStart: numberOf(draft.callWindowStart),
          callWindowStartMinute: numberOf(draft.callWindowStartMinute),
          callWindowEnd: numberOf(draft.callWindowEnd),
          callWindowEndMinute: numberOf(draft.callWindowEndMinute),
        }
      : {}),
    ...(draft.callWindowDays.length === EVERY_DAY.length ? {} : { callWindowDays: draft.callWindowDays }),
    ...(dates.length === 0 ? {} : { callWindowExcludedDates: dates }),
    maxConcurrentCalls: numberOf(draft.maxConcurrentCalls),
    maxCallsPerSecond: numberOf(draft.maxCallsPerSecond),
    maxRetries: numberOf(draft.maxRetries),
    retryIntervalMins: numberOf(draft.retryIntervalMins),
    startAt: instantOf(draft.startAt),
    ...(draft.skipDuplicates ? { skipDuplicates: true } : {}),
    defaultCountry: draft.defaultCountry,
    columns: withoutEmpty({ phone, name, timezone, externalId }),
  });
}

function withoutEmpty(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== "" && value !== undefined),
  );
}

function numberOf(text: string): number | string | undefined {
  const trimmed = text.trim();
  if (trimmed === "") return undefined;
  return Number.isNaN(Number(trimmed)) ? trimmed : Number(trimmed);
}

/** A local time of this browser as an instant. */
function instantOf(local: string): string | undefined {
  if (local === "") return undefined;
  const millis = Date.parse(local);
  return Number.isNaN(millis) ? local : new Date(millis).toISOString();
}
