import { type CommandOf, type Decider, inOrder, judgedBy, type Of, typesOf } from "../shared/decider.ts";
import { notBefore } from "../shared/instant.ts";
import { attemptRules, dialDueContacts } from "./attempts.ts";
import { endCalledSince } from "./called-since.ts";
import { judgeConditions } from "./conditions.ts";
import type { CampaignEvent } from "./events.ts";
import { campaignFolds, evolveCampaign } from "./evolve.ts";
import { addContacts, importRules } from "./importing.ts";
import { completeIfDone, lifecycleRules } from "./lifecycle.ts";
import { type CampaignState, existing, initialCampaignState } from "./state.ts";

/** Judged also where there is no campaign (yet). */
const openingRules = {
  ...importRules,
  JudgeConditions: judgeConditions,
  DialDueContacts: dialDueContacts,
  CompleteIfDone: completeIfDone,
};

const rules = {
  AddContacts: addContacts,
  ...lifecycleRules,
  ...attemptRules,
  EndCalledSince: endCalledSince,
};

type OpeningCommand = CommandOf<typeof openingRules>;
export type CampaignCommand = OpeningCommand | CommandOf<typeof rules>;

export const campaignDecider: Decider<CampaignState, CampaignCommand, CampaignEvent> = {
  initialState: initialCampaignState,
  types: typesOf(campaignFolds),
  evolve: evolveCampaign,
  decide: decideCampaign,
};

/** The rules of a campaign, judged at a time that is not before its latest event. */
function decideCampaign(command: CampaignCommand, state: CampaignState): readonly CampaignEvent[] {
  const inTime =
    command.type === "CreateCampaign" ? notCreatedBefore(command, state) : inOrder(command, state);
  return isOpening(inTime) ? judgedBy(openingRules, inTime, state) : judgedBy(rules, inTime, existing(state));
}

function isOpening(command: CampaignCommand): command is OpeningCommand {
  return Object.hasOwn(openingRules, command.type);
}

function notCreatedBefore(
  { type, campaign }: Of<CampaignCommand, "CreateCampaign">,
  { lastAt }: CampaignState,
): Of<CampaignCommand, "CreateCampaign"> {
  return { type, campaign: { ...campaign, at: notBefore(lastAt, campaign.at) } };
}
