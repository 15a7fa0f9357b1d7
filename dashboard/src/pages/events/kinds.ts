/** Kinds of events by what they are about; one of later than this page is shown by its own name. */
export const GROUPS = {
  campaigns: [
    "CampaignCreated",
    "CampaignStarted",
    "CampaignPaused",
    "CampaignResumed",
    "CampaignSettingsChanged",
    "CampaignCancelled",
    "CampaignCompleted",
    "CampaignDeleted",
  ],
  people: [
    "ContactsImported",
    "ContactsAdded",
    "ImportAbandoned",
    "ContactDialed",
    "ContactSucceeded",
    "ContactCallbackScheduled",
    "ContactAttemptFailed",
    "ContactSkipped",
    "ContactHeld",
  ],
  calls: [
    "CallRequested",
    "CallDialingBegan",
    "CallDialOutcomeUnknown",
    "CallRinging",
    "CallConnected",
    "CallMachineJudged",
    "CallEndRequested",
    "CallCompleted",
    "CallFailed",
    "CallRecordingAvailable",
    "LateCarrierEventRecorded",
    "CallOptedOut",
    "CallOptOutRevoked",
    "CallCallbackAgreed",
    "CallAnalysisRequested",
    "CallAnalysed",
    "CallAnalysisFailed",
    "CallContentErased",
  ],
  talk: [
    "CallSessionBegan",
    "CallConversationStarted",
    "CallMessageAdded",
    "CallSpeechCut",
    "CallDigitsReceived",
    "CallTurnFailed",
    "CallToolBegan",
    "CallToolEnded",
    "CallHandedOver",
    "CallSessionEnded",
  ],
  squads: [
    "SquadCreated",
    "SquadChanged",
    "SquadMemberAdded",
    "SquadMemberChanged",
    "SquadMemberRemoved",
    "SquadHandoffAdded",
    "SquadHandoffChanged",
    "SquadHandoffRemoved",
    "SquadDeleted",
  ],
  policy: ["PolicyChanged", "SuppressionListChanged", "SuppressionListReplaced"],
} as const;
export type Group = keyof typeof GROUPS;
export type Kind = (typeof GROUPS)[Group][number];

const KINDS: readonly Kind[] = Object.values(GROUPS).flat();

export const isKind = (type: string): type is Kind => KINDS.some((kind) => kind === type);
export const isGroup = (name: string): name is Group => Object.hasOwn(GROUPS, name);
