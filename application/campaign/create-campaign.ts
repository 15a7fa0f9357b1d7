import type { CampaignRequest } from "../../contract/campaign-settings.ts";
import { RETRIED_END_REASONS } from "../../domain/call/end-reason.ts";
import type { CampaignCreated, RejectedContacts } from "../../domain/campaign/events.ts";
import { MAX_CONTACTS } from "../../domain/campaign/importing.ts";
import { CURRENT_RULE } from "../../domain/campaign/texts/text-template.ts";
import type { CampaignWarning } from "../../domain/campaign/warnings/warning.ts";
import type { CallWindow } from "../../domain/shared/call-window.ts";
import type { CampaignId, ImportId } from "../../domain/shared/ids.ts";
import { type PinnedLine, pinLine } from "../call/pinning/pin-line.ts";
import { campaignStream } from "../log/stream-names.ts";
import { type Caller, type Outcome, refused } from "../outcome.ts";
import { DEFAULT_RING_TIMEOUT_SECONDS } from "../settings.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";
import type { CampaignCommandDeps } from "./campaign-commands.ts";
import { NO_ASSISTANT, textsOf } from "./campaign-texts.ts";
import { importContacts } from "./contact-import.ts";
import { type JudgedCampaign, judgeWarnings, screenAndJudge } from "./judge-warnings.ts";
import {
  acceptedContacts,
  type DuplicateContacts,
  type NormalizedNumbers,
  type ScreenedContacts,
  type ScreeningRequest,
  TOO_MANY_CONTACTS,
} from "./screen-contacts.ts";
import { refusedStartTime } from "./start-time.ts";

/**
 * A body of POST /campaigns, checked for shape, ranges, time zones and the rules of the window;
 * references are checked here.
 */
export type CreateCampaignRequest = ScreeningRequest &
  CampaignRequest & {
    /** The id of the Idempotency-Key row; null without a key. */
    readonly reservedCampaignId: CampaignId | null;
    readonly window: CallWindow | null;
  };

/** The zone of the window when neither the campaign nor the contact names one. */
export const DEFAULT_TIMEZONE = "Europe/Istanbul";

export type CampaignCreatedAnswer = {
  readonly campaignId: CampaignId;
  readonly totalContacts: number;
  readonly rejectedContacts: RejectedContacts;
  readonly duplicateContacts: DuplicateContacts;
  readonly normalizedNumbers: NormalizedNumbers;
  readonly warnings: readonly CampaignWarning[];
};

/**
 * POST /campaigns: pins the configuration, imports the contacts in chunks and seals them. The campaign
 * is invisible before the seal. With a reserved id, a second run after a crash continues the same
 * import, or finds the campaign.
 */
export async function createCampaign(
  deps: CampaignCommandDeps,
  caller: Caller,
  request: CreateCampaignRequest,
): Promise<Outcome<CampaignCreatedAnswer>> {
  const campaignId = request.reservedCampaignId ?? deps.ids.next("cmp");
  const { startAt = null } = request;
  const stored = request.reservedCampaignId === null ? null : await storedCampaign(deps, campaignId);
  const wrongTime = stored === null ? refusedStartTime(startAt, deps.clock.now()) : null;
  if (wrongTime !== null) return wrongTime;
  const pinned =
    stored === null
      ? await pinLine(deps, caller.owner, { ...request, squadId: request.squadId ?? null })
      : null;
  const texts = stored?.pins ?? textsOf(request, pinned?.ok === true ? pinned.value : NO_ASSISTANT);
  const { screened, judged } = await screenAndJudge(deps, request, texts);
  const value = {
    campaignId,
    totalContacts: screened.accepted,
    rejectedContacts: screened.rejected,
    duplicateContacts: screened.duplicates,
    normalizedNumbers: screened.normalized,
    warnings: await judgeWarnings(deps, caller.owner, judgedSettings(request), judged),
  };
  if (stored !== null) return { ok: true, value, position: stored.position };
  if (screened.accepted === 0) return nobodyToCall();
  if (pinned?.ok !== true) return pinned ?? nobodyToCall();
  if (screened.accepted > MAX_CONTACTS) return tooManyContacts();

  const importId: ImportId = `imp_${campaignId.slice("cmp_".length)}`;
  const campaign = campaignOf(deps, caller, request, pinned.value, screened, { campaignId, importId });
  const contacts = acceptedContacts(deps, request, screened);
  const position = await importContacts(
    deps,
    {
      campaignId,
      importId,
      contacts,
      seal: { type: "CreateCampaign", campaign },
      ...(startAt === null ? {} : { beforeSeal: () => deps.runners.announce(campaignId) }),
    },
    { ...caller, causationId: null },
  );
  return { ok: true, value, position };
}

export function judgedSettings({
  timezone,
  window,
  retryOn,
}: Pick<CreateCampaignRequest, "timezone" | "window" | "retryOn">): JudgedCampaign {
  const defaulted = [
    ...(retryOn === undefined ? (["retryOn"] as const) : []),
    ...(timezone === undefined ? (["timezone"] as const) : []),
  ];
  return { settings: { timezone: timezone ?? DEFAULT_TIMEZONE, window }, defaulted };
}

export function nobodyToCall() {
  const message = "None of the contacts can be called";
  return refused("VALIDATION_ERROR", message, [{ path: ["contacts"], message }]);
}

/** Only a file can have so many; the schema of a JSON body limits its list. */
function tooManyContacts() {
  const details = [{ path: ["file"], message: TOO_MANY_CONTACTS }];
  return refused("VALIDATION_ERROR", "The file has 1 problem; see details", details);
}

/** A campaign that exists already; its texts are judged as pinned. null: it does not exist. */
async function storedCampaign(deps: UseCaseDeps, campaignId: CampaignId) {
  return deps.aggregates.campaigns.query(
    campaignStream(campaignId),
    ({ pins }, { position }) => (pins === null ? null : { pins, position }),
    { fresh: true },
  );
}

function campaignOf(
  deps: UseCaseDeps,
  caller: Caller,
  request: CreateCampaignRequest,
  // Each call asks by which connection its number is called then.
  { connectionId: _ofNow, ...pins }: PinnedLine,
  screened: ScreenedContacts,
  ids: { readonly campaignId: CampaignId; readonly importId: ImportId },
): CampaignCreated["data"] {
  const { startAt = null, retryPlan = null, eligibility = null } = request;
  const { settings, defaulted } = judgedSettings(request);
  return {
    ...ids,
    ...pins,
    owner: caller.owner,
    totalContacts: screened.accepted,
    rejected: screened.rejected,
    settings: {
      name: request.name,
      maxConcurrentCalls: request.maxConcurrentCalls ?? null,
      maxCallsPerSecond: request.maxCallsPerSecond ?? null,
      maxRetries: request.maxRetries ?? null,
      retryIntervalMins: request.retryIntervalMins ?? null,
      retryOn: request.retryOn ?? RETRIED_END_REASONS,
      ...(retryPlan === null ? {} : { retryPlan }),
      ...(startAt === null ? {} : { startAt }),
      ...(eligibility === null ? {} : { eligibility }),
      ...settings,
    },
    defaulted,
    ringTimeoutSeconds: request.ringTimeoutSeconds ?? DEFAULT_RING_TIMEOUT_SECONDS,
    greetingMessage: request.greetingMessage ?? null,
    specialInstructions: request.specialInstructions ?? null,
    metadata: request.metadata ?? {},
    placeholders: CURRENT_RULE,
    at: deps.clock.now(),
  };
}
