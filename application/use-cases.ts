import type { CallId, CampaignId, ContactId, HandoffId, MemberId, SquadId } from "../domain/shared/ids.ts";
import { type EndCallAnswer, type EndCallDeps, endCall } from "./call/end-call.ts";
import type { SingleCallAnswer } from "./call/single-call.ts";
import { type OutboundCallRequest, startOutboundCall } from "./call/start-outbound-call.ts";
import { type AddContactsRequest, addContacts, type ContactsAddedAnswer } from "./campaign/add-contacts.ts";
import * as campaignCommands from "./campaign/campaign-commands.ts";
import {
  type CampaignCreatedAnswer,
  type CreateCampaignRequest,
  createCampaign,
} from "./campaign/create-campaign.ts";
import { type PreviewRequest, previewTexts } from "./campaign/preview-texts.ts";
import { type ScreenedImport, type ScreenImportRequest, screenImport } from "./campaign/screen-import.ts";
import { type CampaignStartedAnswer, startCampaign } from "./campaign/start-campaign.ts";
import { startTestCall, type TestCallDeps, type TestCallRequest } from "./campaign/test-call.ts";
import { type Caller, type Outcome, refused } from "./outcome.ts";
import * as squadHandoffs from "./squad/squad-handoffs.ts";
import * as squadMembers from "./squad/squad-members.ts";
import type {
  CreateSquadRequest,
  HandoffChanges,
  HandoffInput,
  MemberChanges,
  MemberInput,
  RemovedMemberAnswer,
  SquadChanges,
} from "./squad/squad-requests.ts";
import * as squads from "./squad/squads.ts";
import { answeredInTime } from "./within-limit.ts";

/**
 * All actions of users, for the API and the programs. Reads come from the read models;
 * `Outcome.position` says how far these must have come. Bodies are already checked for shape and size;
 * references and states are checked here.
 */
export type UseCases = {
  /**
   * POST /calls/outbound. Refused in the order of docs/api.md §4. Answers after the hand-over to the
   * carrier, at most 5 s.
   */
  readonly startOutboundCall: (
    caller: Caller,
    request: OutboundCallRequest,
  ) => Promise<Outcome<SingleCallAnswer>>;
  /** DELETE /calls/outbound/:callId. Idempotent; CALL_NOT_FOUND. */
  readonly endCall: (caller: Caller, callId: CallId) => Promise<Outcome<EndCallAnswer>>;

  /** POST /campaigns and /campaigns/import. */
  readonly createCampaign: (
    caller: Caller,
    request: CreateCampaignRequest,
  ) => Promise<Outcome<CampaignCreatedAnswer>>;
  /** POST /campaigns/import?dryRun=true: stores nothing. */
  readonly screenImport: (caller: Caller, request: ScreenImportRequest) => Promise<ScreenedImport>;
  /** POST /campaigns/preview: stores nothing. ASSISTANT_NOT_FOUND, ASSISTANT_NOT_PUBLISHED. */
  readonly previewTexts: (caller: Caller, request: PreviewRequest) => ReturnType<typeof previewTexts>;
  /** POST /campaigns/:id/contacts. */
  readonly addContacts: (
    caller: Caller,
    campaignId: CampaignId,
    request: AddContactsRequest,
  ) => Promise<Outcome<ContactsAddedAnswer>>;
  /** All five: CAMPAIGN_NOT_FOUND, CAMPAIGN_INVALID_STATE; start also INSUFFICIENT_CREDITS (judged first). */
  readonly startCampaign: (caller: Caller, campaignId: CampaignId) => Promise<Outcome<CampaignStartedAnswer>>;
  /** Answers after every dial recorded before it has begun or failed. */
  readonly pauseCampaign: (caller: Caller, campaignId: CampaignId) => Promise<Outcome<null>>;
  readonly resumeCampaign: (caller: Caller, campaignId: CampaignId) => Promise<Outcome<null>>;
  /** As pause. */
  readonly cancelCampaign: (
    caller: Caller,
    campaignId: CampaignId,
    options: { readonly hangUpActiveCalls: boolean },
  ) => Promise<Outcome<null>>;
  readonly changeCampaign: (
    caller: Caller,
    campaignId: CampaignId,
    changes: campaignCommands.CampaignSettingsChanges,
  ) => Promise<Outcome<null>>;
  /** POST /campaigns/:id/test-call. */
  readonly startTestCall: (caller: Caller, request: TestCallRequest) => Promise<Outcome<SingleCallAnswer>>;
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
  /** The answer names the links that were removed, too. */
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

type AllDeps = TestCallDeps & EndCallDeps & campaignCommands.CampaignCommandDeps;

/**
 * Fills the first argument of each use case and puts `requireOpen` before it: its error is the answer
 * while no decision is allowed here. While `dialsNobody` gives a reason, a single call is refused with
 * it before anything else is checked.
 */
export function createUseCases(
  deps: AllDeps,
  requireOpen: () => void,
  dialsNobody: () => string | null,
): UseCases {
  const bound =
    <Rest extends readonly unknown[], Answer>(useCase: (deps: AllDeps, ...rest: Rest) => Promise<Answer>) =>
    async (...rest: Rest): Promise<Answer> => {
      requireOpen();
      return answeredInTime(deps.clock, useCase(deps, ...rest));
    };
  const single =
    <Request>(
      start: (deps: AllDeps, caller: Caller, request: Request) => Promise<Outcome<SingleCallAnswer>>,
    ) =>
    async (caller: Caller, request: Request) => {
      const reason = dialsNobody();
      return reason === null ? bound(start)(caller, request) : refused("CARRIER_UNAVAILABLE", reason);
    };
  return {
    startOutboundCall: single(startOutboundCall),
    startTestCall: single(startTestCall),
    endCall: bound(endCall),
    createCampaign: bound(createCampaign),
    screenImport: (...asked) => screenImport(deps, ...asked),
    previewTexts: (...asked) => previewTexts(deps, ...asked),
    addContacts: bound(addContacts),
    startCampaign: bound(startCampaign),
    pauseCampaign: bound(campaignCommands.pauseCampaign),
    resumeCampaign: bound(campaignCommands.resumeCampaign),
    cancelCampaign: bound(campaignCommands.cancelCampaign),
    changeCampaign: bound(campaignCommands.changeCampaign),
    skipContact: bound(campaignCommands.skipContact),
    createSquad: bound(squads.createSquad),
    changeSquad: bound(squads.changeSquad),
    deleteSquad: bound(squads.deleteSquad),
    addMember: bound(squadMembers.addMember),
    changeMember: bound(squadMembers.changeMember),
    removeMember: bound(squadMembers.removeMember),
    addHandoff: bound(squadHandoffs.addHandoff),
    changeHandoff: bound(squadHandoffs.changeHandoff),
    removeHandoff: bound(squadHandoffs.removeHandoff),
  };
}
