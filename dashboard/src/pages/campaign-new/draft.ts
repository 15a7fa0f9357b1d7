import type { CampaignRecord } from "../../../../contract/campaign.ts";
import { type CallingDraft, callingDraftOf, callingSettings, PROPOSED } from "../../calling/calling-draft.ts";
import { zoneOfBrowser } from "../../calling/zones.ts";
import { type Columns, NO_COLUMNS } from "./columns.ts";
import { guessColumns, type ReadContacts } from "./read-file.ts";

/** All inputs, as in the controls. Kept while the wizard is open, also after a refusal. */
export type Draft = CallingDraft & {
  readonly file: File | null;
  readonly read: ReadContacts | null;
  readonly columns: Columns;
  readonly defaultCountry: string;
  readonly name: string;
  readonly assistantId: string;
  readonly phoneNumberId: string;
  readonly greetingMessage: string;
  readonly specialInstructions: string;
  readonly skipDuplicates: boolean;
};

export type Change = (change: Partial<Draft>) => void;

export function emptyDraft(): Draft {
  return {
    file: null,
    read: null,
    columns: NO_COLUMNS,
    defaultCountry: "",
    name: "",
    assistantId: "",
    phoneNumberId: "",
    greetingMessage: "",
    specialInstructions: "",
    ...PROPOSED,
    timezone: zoneOfBrowser(Intl.DateTimeFormat().resolvedOptions().timeZone),
    skipDuplicates: false,
  };
}

/**
 * The `settings` of POST /campaigns/import. Empty fields are left out; text that is not a number is sent as
 * it is, so that the service reports it.
 */
export function settingsOf(draft: Draft): Readonly<Record<string, unknown>> {
  return withoutEmpty({ ...fileSettingsOf(draft), ...callingSettings(draft) });
}

/** What the file is judged by. */
export function fileSettingsOf(draft: Draft): Readonly<Record<string, unknown>> {
  return withoutEmpty({
    name: draft.name.trim(),
    assistantId: draft.assistantId,
    phoneNumberId: draft.phoneNumberId,
    greetingMessage: draft.greetingMessage,
    specialInstructions: draft.specialInstructions,
    ...(draft.skipDuplicates ? { skipDuplicates: true } : {}),
    defaultCountry: draft.defaultCountry,
    columns: withoutEmpty(draft.columns),
  });
}

function withoutEmpty(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isEmpty = (value: unknown) => value === "" || value === null || value === undefined;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

/** The campaign with its people as a draft of another one. */
export function draftOf(campaign: CampaignRecord, file: File, read: ReadContacts): Draft {
  const text = (name: string) => {
    const value = campaign.metadata[name];
    return typeof value === "string" ? value : "";
  };
  return {
    ...emptyDraft(),
    ...callingDraftOf(campaign),
    startAt: "",
    file,
    read,
    columns: guessColumns(read.header),
    name: campaign.name,
    assistantId: campaign.assistantId,
    phoneNumberId: campaign.phoneNumberId,
    greetingMessage: text("greetingMessage"),
    specialInstructions: text("specialInstructions"),
  };
}

const titleOf = (file: File | null): string => file?.name.replace(/\.[^.]*$/, "") ?? "";

/** What the campaign is called once this file is chosen: as the file, unless somebody named it. */
export function namedAfter({ name, file }: Pick<Draft, "name" | "file">, chosen: File): string {
  return name === "" || name === titleOf(file) ? titleOf(chosen) : name;
}
