import { estimateCampaign } from "../../domain/campaign/progress.ts";
import {
  type CampaignTexts,
  personalTexts,
  type TextValues,
} from "../../domain/campaign/texts/personalisation.ts";
import { createPlaceholderCheck } from "../../domain/campaign/texts/placeholder-check.ts";
import { placeholderWarnings } from "../../domain/campaign/warnings/placeholder-warnings.ts";
import type { CampaignWarning } from "../../domain/campaign/warnings/warning.ts";
import type { CallWindow } from "../../domain/shared/call-window.ts";
import { unitsToCredits } from "../../domain/shared/credits.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import type { Caller, Refusal } from "../outcome.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";
import { assistantTexts, NO_ASSISTANT, textsOf } from "./campaign-texts.ts";
import { DEFAULT_TIMEZONE } from "./create-campaign.ts";

export type PreviewRequest = {
  /** Templates; null greeting: the default of the assistant, if one is named. */
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  readonly assistantId: string | null;
  readonly contacts: readonly TextValues[];
  /** null: nothing is estimated. */
  readonly planned: PlannedCampaign | null;
};

/** null: as much as the plan allows, the default zone, at any time, now. */
type PlannedCampaign = {
  readonly contacts: number;
  readonly maxConcurrentCalls: number | null;
  readonly maxCallsPerSecond: number | null;
  readonly timezone: string | null;
  readonly window: CallWindow | null;
  readonly startAt: Instant | null;
};

export type PreviewItem = {
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
  /** Then both texts are null: the contact would be rejected. */
  readonly reason?: "text_too_long";
};

export type Preview = {
  readonly items: readonly PreviewItem[];
  readonly warnings: readonly CampaignWarning[];
  /** Credits with 4 decimals; hours with 2. */
  readonly estimate: { readonly hours: number | null; readonly credits: number | null };
};

type PreviewDeps = Pick<UseCaseDeps, "directory" | "clock" | "settings">;

/** POST /campaigns/preview: the texts for each contact, and an estimate. Stores nothing. */
export async function previewTexts(
  deps: PreviewDeps,
  { owner }: Caller,
  { assistantId, contacts, planned, ...templates }: PreviewRequest,
): Promise<
  { readonly ok: true; readonly value: Preview } | { readonly ok: false; readonly refusal: Refusal }
> {
  const pinned = assistantId === null ? null : await assistantTexts(deps.directory, owner, assistantId);
  if (pinned?.ok === false) return pinned;
  const texts = textsOf(templates, pinned?.value ?? NO_ASSISTANT);
  const hasGreeting = templates.greetingMessage !== null || pinned !== null;
  const check = createPlaceholderCheck(texts);
  const items = contacts.map((contact) => {
    const item = previewItem(texts, contact, hasGreeting);
    if (item.reason === undefined) check.look(contact);
    return item;
  });
  const estimate = await estimated(deps, owner, planned);
  return { ok: true, value: { items, warnings: placeholderWarnings(check.found()), estimate } };
}

async function estimated(
  { directory, clock, settings }: PreviewDeps,
  owner: OwnerId,
  planned: PlannedCampaign | null,
): Promise<Preview["estimate"]> {
  const plan = planned === null ? undefined : (await directory.owner(owner))?.plan;
  if (planned === null || plan === undefined) return { hours: null, credits: null };
  const { maxConcurrentCalls, maxCallsPerSecond, startAt } = planned;
  const now = clock.now();
  const { hours, credits } = estimateCampaign({
    ...planned,
    lines: Math.min(maxConcurrentCalls ?? plan.maxConcurrentCalls, plan.maxConcurrentCalls),
    callsPerSecond: Math.min(maxCallsPerSecond ?? plan.maxCallsPerSecond, plan.maxCallsPerSecond),
    timezone: planned.timezone ?? DEFAULT_TIMEZONE,
    startsAt: startAt !== null && startAt > now ? startAt : now,
    pricePerMinute: settings.pricePerMinute,
  });
  return {
    hours: hours === null ? null : Math.round(hours * 100) / 100,
    credits: unitsToCredits(credits),
  };
}

function previewItem(texts: CampaignTexts, contact: TextValues, hasGreeting: boolean): PreviewItem {
  const said = personalTexts(texts, contact);
  if (said.tooLong !== null)
    return { greetingMessage: null, specialInstructions: null, reason: "text_too_long" };
  const greetingMessage = hasGreeting ? said.greetingMessage : null;
  return { greetingMessage, specialInstructions: said.specialInstructions };
}
