import type { PlaceholderFindings } from "../texts/placeholder-check.ts";
import { type CampaignWarning, contactsOf } from "./warning.ts";

const SHOWN_NAMES = 5;
const SHOWN_CHARACTERS = 40;

/** Texts that will not sound as their author expects. */
export function placeholderWarnings({
  unfilled,
  tooLong,
  unclosed,
  otherForm,
}: PlaceholderFindings): readonly CampaignWarning[] {
  const found: readonly (CampaignWarning | null)[] = [
    otherForm && {
      code: "placeholder_other_form",
      message: `${otherForm.form} is no placeholder: only {{key}} is filled`,
      path: otherForm.path,
    },
    tooLong && {
      code: "placeholder_too_long",
      message: `A value is too long for its text and is left out for ${contactsOf(tooLong.contacts)}`,
      count: tooLong.contacts,
      path: tooLong.path,
    },
    unclosed && {
      code: "placeholder_unclosed",
      message: "A placeholder begins with {{ and does not end with }}: it is said as it stands",
      path: unclosed.path,
    },
    unfilled && {
      code: "placeholder_unfilled",
      message: `Nothing is said in place of ${named(unfilled.names)}`,
      count: unfilled.contacts,
      keys: shownOf(unfilled.names).map(({ name, contacts }) => ({ name, count: contacts })),
      path: unfilled.path,
    },
  ];
  return found.filter((warning) => warning !== null);
}

type Named = { readonly name: string; readonly contacts: number };

/** The first names, each cut to what can be shown. */
function shownOf(names: readonly Named[]): readonly Named[] {
  return names
    .slice(0, SHOWN_NAMES)
    .map(({ name, contacts }) => ({ name: [...name].slice(0, SHOWN_CHARACTERS).join(""), contacts }));
}

/** `{{date}} (3 contacts), {{city}} (1 contact) and 2 more` */
function named(names: readonly Named[]): string {
  const shown = shownOf(names).map(({ name, contacts }) => `{{${name}}} (${contactsOf(contacts)})`);
  const more = names.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
