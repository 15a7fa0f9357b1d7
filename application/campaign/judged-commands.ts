import type { CampaignRequest } from "../../contract/campaign-settings.ts";
import { campaignDecider } from "../../domain/campaign/decider.ts";
import type { ChangedPins } from "../../domain/campaign/events.ts";
import type { CampaignSettings } from "../../domain/campaign/settings.ts";
import type { CampaignPins, CampaignState } from "../../domain/campaign/state.ts";
import { GREETING_BYTES, INSTRUCTIONS_BYTES } from "../../domain/campaign/texts/personalisation.ts";
import { CURRENT_RULE } from "../../domain/campaign/texts/text-template.ts";
import { type CampaignWarning, contactsOf } from "../../domain/campaign/warnings/warning.ts";
import { DomainError } from "../../domain/shared/errors.ts";
import type { CampaignId } from "../../domain/shared/ids.ts";
import type { Instant } from "../../domain/shared/instant.ts";
import { type Pinned, pinPhoneNumber } from "../call/pinning/pin-configuration.ts";
import { pinSpeakers } from "../call/pinning/pin-line.ts";
import { campaignStream } from "../log/stream-names.ts";
import { type Caller, type Outcome, refused } from "../outcome.ts";
import { refusedByRule } from "../refused-by-rule.ts";
import type { Bind } from "../use-case-deps.ts";
import type { CampaignCommandDeps } from "./campaign-commands.ts";
import { refusedStartTime } from "./start-time.ts";
import { type ContactsToCall, contactsToCall, tooLongFor, warningsOf } from "./stored-contacts.ts";

/** Who speaks, from which number, and what; absent: as it is. */
type LineChanges = Partial<
  Pick<
    CampaignRequest,
    "phoneNumberId" | "assistantId" | "squadId" | "greetingMessage" | "specialInstructions"
  >
>;

/**
 * PATCH /campaigns/:id, checked for ranges, zones and the window rule; references are checked here.
 * `window` null: no restriction.
 */
export type CampaignChanges = Partial<CampaignSettings> & LineChanges;

export type JudgedAnswer = { readonly warnings: readonly CampaignWarning[] };

/** Commands of users that answer with warnings, judged over all contacts. */
export function judgedCommands(bound: Bind<CampaignCommandDeps>) {
  return { startCampaign: bound(startCampaign), changeCampaign: bound(changeCampaign) };
}

/** Warnings are judged before the start: after it, the first calls have reserved credits. */
async function startCampaign(
  deps: CampaignCommandDeps,
  caller: Caller,
  campaignId: CampaignId,
): Promise<Outcome<JudgedAnswer>> {
  const warnings = await warningsOf(deps, caller, campaignId);
  const started = await deps.runners.execute(
    campaignId,
    { type: "StartCampaign" },
    { ...caller, causationId: null },
  );
  return started.ok ? { ...started, value: { warnings } } : started;
}

/**
 * Also the refusals of a new campaign, at the same paths. Attempts so far keep what they were made with;
 * later ones are made with what the campaign has when they are recorded. An assistant that is named is
 * pinned in its published version of now, also the one that it has.
 */
async function changeCampaign(
  deps: CampaignCommandDeps,
  caller: Caller,
  campaignId: CampaignId,
  changes: CampaignChanges,
): Promise<Outcome<JudgedAnswer>> {
  const wrongTime = refusedStartTime(changes.startAt ?? null, deps.clock.now());
  if (wrongTime !== null) return wrongTime;
  const { phoneNumberId, assistantId, squadId, greetingMessage, specialInstructions, ...settings } = changes;
  const line = { phoneNumberId, assistantId, squadId, greetingMessage, specialInstructions };
  const pins = await changedPins(deps, caller, campaignId, line);
  if (!pins.ok) return pins;
  const changed = await deps.runners.execute(
    campaignId,
    {
      type: "ChangeSettings",
      changes: settings,
      ...(Object.keys(pins.value).length === 0 ? {} : { pins: pins.value }),
    },
    { ...caller, causationId: null },
  );
  if (!changed.ok) return changed;
  return { ...changed, value: { warnings: await warningsOf(deps, caller, campaignId) } };
}

type Given = { readonly [Field in keyof LineChanges]: LineChanges[Field] | undefined };

async function changedPins(
  deps: CampaignCommandDeps,
  caller: Caller,
  campaignId: CampaignId,
  given: Given,
): Promise<Pinned<ChangedPins>> {
  if (Object.values(given).every((value) => value === undefined)) return { ok: true, value: {} };
  const campaign = await currentLine(deps, caller, campaignId);
  if (!campaign.ok) return campaign;
  const { pins, toCall } = campaign.value;
  const line = await pinnedLine(deps, caller, pins, given);
  if (!line.ok) return line;
  const texts = saidOf(given);
  const isSaidAnew = Object.keys(texts).length > 0 || line.value.assistant !== undefined;
  if (!isSaidAnew) return line;
  const value: ChangedPins = { ...line.value, ...texts, placeholders: CURRENT_RULE };
  const tooLong = await tooLongFor(deps, campaignId, toCall, { ...pins, ...value });
  return refusedTexts(given, tooLong) ?? { ok: true, value };
}

type CurrentLine = { readonly pins: CampaignPins; readonly toCall: ContactsToCall };

/** Refused before any reference is looked at, as the command itself would be. */
function currentLine(
  { aggregates, clock }: CampaignCommandDeps,
  { owner }: Caller,
  campaignId: CampaignId,
): Promise<Pinned<CurrentLine>> {
  return aggregates.campaigns.query(
    campaignStream(campaignId),
    (state): Pinned<CurrentLine> => {
      const { pins } = state;
      if (pins?.owner !== owner) return refused("CAMPAIGN_NOT_FOUND", "Campaign not found");
      return mayChange(state, clock.now()) ?? { ok: true, value: { pins, toCall: contactsToCall(state) } };
    },
    { fresh: true },
  );
}

/** null: it may change now. */
function mayChange(state: CampaignState, now: Instant) {
  try {
    campaignDecider.decide({ type: "ChangeSettings", changes: {}, now }, state);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return refusedByRule(error);
    throw error;
  }
}

/** In the order of a new campaign: assistant, number, squad. */
async function pinnedLine(
  deps: CampaignCommandDeps,
  { owner }: Caller,
  pins: CampaignPins,
  { phoneNumberId, assistantId, squadId }: Given,
): Promise<Pinned<ChangedPins>> {
  const number = async (): Promise<Pinned<ChangedPins>> => {
    if (phoneNumberId === undefined) return { ok: true, value: {} };
    const from = await pinPhoneNumber(deps.directory, owner, phoneNumberId);
    if (!from.ok) return from;
    return { ok: true, value: { phoneNumberId: from.value.phoneNumberId, from: from.value.phoneNumber } };
  };
  if (assistantId === undefined && squadId === undefined) return number();
  const speakers = {
    assistantId: assistantId ?? pins.assistant.assistantId,
    squadId: squadId === undefined ? (pins.squad?.squadId ?? null) : squadId,
  };
  return pinSpeakers(deps, owner, speakers, number);
}

function saidOf({ greetingMessage, specialInstructions }: Given): ChangedPins {
  return {
    ...(greetingMessage === undefined ? {} : { greetingMessage }),
    ...(specialInstructions === undefined ? {} : { specialInstructions }),
  };
}

/**
 * A contact whose texts are too long is refused at an import; one that is there already refuses the text. A
 * greeting that was not given is the assistant's own.
 */
function refusedTexts({ greetingMessage }: Given, tooLong: Awaited<ReturnType<typeof tooLongFor>>) {
  const greeting = greetingMessage === undefined ? "assistantId" : "greetingMessage";
  const problems = [
    { path: greeting, name: "greetingMessage", limit: GREETING_BYTES },
    { path: "specialInstructions", name: "specialInstructions", limit: INSTRUCTIONS_BYTES },
  ] as const;
  const details = problems
    .filter(({ name }) => tooLong[name] > 0)
    .map(({ path, name, limit }) => ({
      path: [path],
      message: `${name} is longer than ${limit} bytes when it is filled for ${contactsOf(tooLong[name])}`,
    }));
  return details.length === 0
    ? null
    : refused("VALIDATION_ERROR", "The texts are too long for some contacts", details);
}
