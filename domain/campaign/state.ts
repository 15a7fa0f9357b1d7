import { DomainError } from "../shared/errors.ts";
import type { CallId, CampaignId, ImportId, OwnerId } from "../shared/ids.ts";
import type { Instant } from "../shared/instant.ts";
import type { PhoneNumber } from "../shared/phone-number.ts";
import { type ContactTable, createContactTable, type NewContact } from "./contacts/contact-table.ts";
import type { CampaignCreated, CampaignStatus, ContactStatus, PauseReason } from "./events.ts";
import type { CampaignSettings, DefaultedSetting } from "./settings.ts";

/** What its calls are made with, pinned at the creation of the campaign. */
export type CampaignPins = Omit<
  CampaignCreated["data"],
  "importId" | "totalContacts" | "rejected" | "settings" | "defaulted" | "at"
>;

/** An import that is not sealed; its contacts are not visible. */
export type OpenImport = { readonly contacts: NewContact[] };

/** What the rules of a campaign read. `status` null: the campaign does not exist (yet, or any more). */
export type CampaignState = {
  status: CampaignStatus | null;
  campaignId: CampaignId | null;
  /** From the chunks of an import that came before the campaign was created. */
  importingCampaignId: CampaignId | null;
  owner: OwnerId | null;
  pins: CampaignPins | null;
  settings: CampaignSettings | null;
  /** Settings that still have their default. */
  defaulted: readonly DefaultedSetting[];
  pauseReason: PauseReason | null;
  nextWindowOpensAt: Instant | null;
  /** Version of the owner's policy for which it was paused with policy_refuses_all last; 0: never. */
  policyRefusing: number;
  /** Latest version with which somebody was dialled or held; 0: none. */
  policyJudged: number;
  /** Version whose refusal of all contacts a user resumed; 0: none. */
  policyAccepted: number;
  createdAt: Instant | null;
  startedAt: Instant | null;
  completedAt: Instant | null;
  isDeleted: boolean;
  /** The latest time of an event so far. */
  lastAt: Instant | null;
  hangUpActiveCalls: boolean;
  readonly contacts: ContactTable;
  /** Contacts by status. */
  readonly counts: Record<ContactStatus, number>;
  readonly openImports: Map<ImportId, OpenImport>;
  readonly closedImports: Set<ImportId>;
  /** Row of the contact of each live call. */
  readonly live: Map<CallId, number>;
  readonly liveNumbers: Set<PhoneNumber>;
  /** Of live calls that were dialled before the pins changed: what they are made with. */
  readonly earlierPins: Map<CallId, CampaignPins>;
  completedCalls: number;
  completedSeconds: number;
  /** Number of events folded, which is the revision of the next one. */
  events: number;
};

/** A campaign that was created: most rules are about nothing else. */
export type ExistingCampaign = CampaignState & {
  readonly campaignId: CampaignId;
  readonly status: CampaignStatus;
  readonly settings: CampaignSettings;
};

function isExisting(state: CampaignState): state is ExistingCampaign {
  return state.campaignId !== null && state.status !== null && state.settings !== null;
}

export function existing(state: CampaignState): ExistingCampaign {
  if (!isExisting(state)) throw new DomainError("campaign.not-found", "There is no such campaign");
  return state;
}

export function initialCampaignState(): CampaignState {
  return {
    status: null,
    campaignId: null,
    importingCampaignId: null,
    owner: null,
    pins: null,
    settings: null,
    defaulted: [],
    pauseReason: null,
    nextWindowOpensAt: null,
    policyRefusing: 0,
    policyJudged: 0,
    policyAccepted: 0,
    createdAt: null,
    startedAt: null,
    completedAt: null,
    isDeleted: false,
    lastAt: null,
    hangUpActiveCalls: false,
    contacts: createContactTable(),
    counts: { pending: 0, dialing: 0, waiting_retry: 0, succeeded: 0, failed: 0, skipped: 0 },
    openImports: new Map(),
    closedImports: new Set(),
    live: new Map(),
    liveNumbers: new Set(),
    earlierPins: new Map(),
    completedCalls: 0,
    completedSeconds: 0,
    events: 0,
  };
}
