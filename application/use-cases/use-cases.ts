import type { CallId, CampaignId, ContactId, HandoffId, MemberId, SquadId } from "../../domain/shared/ids.ts";
import type { AddContactsRequest, ContactsAddedAnswer } from "./add-contacts.ts";
import type { CampaignSettingsChanges } from "./campaign-commands.ts";
import type { CampaignCreatedAnswer, CreateCampaignRequest } from "./create-campaign.ts";
import type { EndCallAnswer } from "./end-call.ts";
import type { Caller, Outcome } from "./outcome.ts";
import type {
  CreateSquadRequest,
  HandoffChanges,
  HandoffInput,
  MemberChanges,
  MemberInput,
  RemovedMemberAnswer,
  SquadChanges,
} from "./squads.ts";
import type { OutboundCallAnswer, OutboundCallRequest } from "./start-outbound-call.ts";

/**
 * Everything that a user can make happen, for the API and the programs. What is read afterwards comes from the read models; `Outcome.position`
 * says how far they must have come. Bodies arrive already checked for shape and size; references and states are judged here.
 */
export type UseCases = {
  /** POST /calls/outbound. Refused in the order of interface.md §4. Answers after the hand-over to the carrier, bounded at 5 s. */
  readonly startOutboundCall: (
    caller: Caller,
    request: OutboundCallRequest,
  ) => Promise<Outcome<OutboundCallAnswer>>;
  /** DELETE /calls/outbound/:callId. Idempotent; CALL_NOT_FOUND. */
  readonly endCall: (caller: Caller, callId: CallId) => Promise<Outcome<EndCallAnswer>>;

  /** POST /campaigns and /campaigns/import. */
  readonly createCampaign: (
    caller: Caller,
    request: CreateCampaignRequest,
  ) => Promise<Outcome<CampaignCreatedAnswer>>;
  /** POST /campaigns/:id/contacts. */
  readonly addContacts: (
    caller: Caller,
    campaignId: CampaignId,
    request: AddContactsRequest,
  ) => Promise<Outcome<ContactsAddedAnswer>>;
  /** All five: CAMPAIGN_NOT_FOUND, CAMPAIGN_INVALID_STATE; start also INSUFFICIENT_CREDITS (judged first). */
  readonly startCampaign: (caller: Caller, campaignId: CampaignId) => Promise<Outcome<null>>;
  /** Answers after every dial that was recorded before it has begun or failed. */
  readonly pauseCampaign: (caller: Caller, campaignId: CampaignId) => Promise<Outcome<null>>;
  readonly resumeCampaign: (caller: Caller, campaignId: CampaignId) => Promise<Outcome<null>>;
  /** Answers as pause does. */
  readonly cancelCampaign: (
    caller: Caller,
    campaignId: CampaignId,
    options: { readonly hangUpActiveCalls: boolean },
  ) => Promise<Outcome<null>>;
  readonly changeCampaign: (
    caller: Caller,
    campaignId: CampaignId,
    changes: CampaignSettingsChanges,
  ) => Promise<Outcome<null>>;
  /** Also CONTACT_NOT_FOUND. */
  readonly skipContact: (
    caller: Caller,
    campaignId: CampaignId,
    contactId: ContactId,
  ) => Promise<Outcome<null>>;

  /** POST /squads. */
  readonly createSquad: (
    caller: Caller,
    request: CreateSquadRequest,
  ) => Promise<Outcome<{ readonly squadId: SquadId }>>;
  readonly changeSquad: (caller: Caller, squadId: SquadId, changes: SquadChanges) => Promise<Outcome<null>>;
  readonly deleteSquad: (caller: Caller, squadId: SquadId) => Promise<Outcome<null>>;
  readonly addMember: (
    caller: Caller,
    squadId: SquadId,
    member: MemberInput & { readonly reservedMemberId: MemberId | null },
  ) => Promise<Outcome<{ readonly memberId: MemberId }>>;
  readonly changeMember: (
    caller: Caller,
    squadId: SquadId,
    memberId: MemberId,
    changes: MemberChanges,
  ) => Promise<Outcome<null>>;
  /** The answer names the links that went with it. */
  readonly removeMember: (
    caller: Caller,
    squadId: SquadId,
    memberId: MemberId,
  ) => Promise<Outcome<RemovedMemberAnswer>>;
  readonly addHandoff: (
    caller: Caller,
    squadId: SquadId,
    handoff: HandoffInput & { readonly reservedHandoffId: HandoffId | null },
  ) => Promise<Outcome<{ readonly handoffId: HandoffId }>>;
  readonly changeHandoff: (
    caller: Caller,
    squadId: SquadId,
    handoffId: HandoffId,
    changes: HandoffChanges,
  ) => Promise<Outcome<null>>;
  readonly removeHandoff: (caller: Caller, squadId: SquadId, handoffId: HandoffId) => Promise<Outcome<null>>;
};
