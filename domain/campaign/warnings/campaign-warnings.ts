import type { CallWindow } from "../../shared/call-window.ts";
import { type CreditUnits, unitsToCredits } from "../../shared/credits.ts";
import type { Instant } from "../../shared/instant.ts";
import { nextOpening } from "../../window/call-window.ts";
import { zoneKey } from "../../window/zone-offset.ts";
import type { DefaultedSetting } from "../settings.ts";
import type { PlaceholderFindings } from "../texts/placeholder-check.ts";
import { placeholderWarnings } from "./placeholder-warnings.ts";
import { type CampaignWarning, contactsOf } from "./warning.ts";

export type WarningFacts = {
  readonly settings: { readonly timezone: string; readonly window: CallWindow | null };
  /** Settings that took their default and have not been changed since. */
  readonly defaulted: readonly DefaultedSetting[];
  /** Accepted contacts in each zone; null: the campaign's own. */
  readonly zones: ReadonlyMap<string | null, number>;
  readonly placeholders: PlaceholderFindings;
  /** Places of the file that could not be read as characters. */
  readonly badCharacters: number;
  readonly pricePerMinute: CreditUnits;
  readonly availableCredits: CreditUnits;
  readonly now: Instant;
};

/** Sorted by code, at most one of each. */
export function campaignWarnings(facts: WarningFacts): readonly CampaignWarning[] {
  return [
    badCharacters(facts),
    creditsShort(facts),
    neverOpen(facts),
    noCallWindow(facts),
    ...placeholderWarnings(facts.placeholders),
    retriesDeclined(facts),
    timezoneDefaulted(facts),
  ]
    .filter((warning) => warning !== null)
    .sort((a, b) => (a.code < b.code ? -1 : 1));
}

type Rule = (facts: WarningFacts) => CampaignWarning | null;

const badCharacters: Rule = ({ badCharacters: count }) => {
  if (count === 0) return null;
  const what = count === 1 ? "1 character" : `${count} characters`;
  return {
    code: "bad_characters",
    message: `${what} of the file cannot be read: \ufffd stands there`,
    count,
  };
};

const creditsShort: Rule = ({ zones, pricePerMinute, availableCredits }) => {
  const contacts = sumOf(zones.values());
  const needed = unitsToCredits(contacts * pricePerMinute);
  const available = unitsToCredits(availableCredits);
  if (needed <= available) return null;
  const message = `A minute with each contact takes ${needed} credits; ${available} are available`;
  return { code: "credits_short", message, count: contacts, needed, available };
};

const neverOpen: Rule = ({ settings: { timezone, window }, zones, now }) => {
  const contactsIn = new Map<string, number>();
  for (const [zone, contacts] of zones) {
    const key = zoneKey(zone ?? timezone);
    contactsIn.set(key, (contactsIn.get(key) ?? 0) + contacts);
  }
  const closed = [...contactsIn].filter(([zone]) => nextOpening(zone, window, now) === null);
  const count = sumOf(closed.map(([, contacts]) => contacts));
  if (count === 0) return null;
  return { code: "never_open", message: `The call window never opens for ${contactsOf(count)}`, count };
};

const noCallWindow: Rule = ({ settings: { window } }) => {
  if (window !== null && window.start !== window.end) return null;
  const message = "There are no hours of calling: people may be called at any hour, also at night";
  return { code: "no_call_window", message, path: ["callWindowStart"] };
};

const retriesDeclined: Rule = ({ defaulted }) => {
  if (!defaulted.includes("retryOn")) return null;
  const message = "retryOn is not given: people who declined the call are called again";
  return { code: "retries_declined", message, path: ["retryOn"] };
};

const timezoneDefaulted: Rule = ({ settings: { timezone, window }, defaulted, zones }) => {
  const count = zones.get(null) ?? 0;
  if (window === null || !defaulted.includes("timezone") || count === 0) return null;
  const message = `timezone is not given: the call window is judged by the clock of ${timezone} for ${contactsOf(count)}`;
  return { code: "timezone_defaulted", message, count, path: ["timezone"] };
};

function sumOf(counts: Iterable<number>): number {
  return [...counts].reduce((sum, each) => sum + each, 0);
}
