import { inOrder, type Of } from "../shared/decider.ts";
import { assertNever } from "../shared/errors.ts";
import { notBefore } from "../shared/instant.ts";
import { dialDueContacts, recordAttemptOutcome, skipContact } from "./attempts.ts";
import { endCalledSince } from "./called-since.ts";
import type { CampaignCommand } from "./commands.ts";
import { judgeConditions } from "./conditions.ts";
import type { CampaignEvent } from "./events.ts";
import { abandonImport, addContacts, create, importContacts } from "./importing.ts";
import { cancel, changeSettings, completeIfDone, pause, resume, start, startInTime } from "./lifecycle.ts";
import { type CampaignState, type ExistingCampaign, existing } from "./state.ts";

type Remaining = Exclude<
  CampaignCommand,
  Of<
    CampaignCommand,
    | "ImportContacts"
    | "CreateCampaign"
    | "AbandonImport"
    | "JudgeConditions"
    | "DialDueContacts"
    | "CompleteIfDone"
  >
>;

/** The rules of a campaign, judged at a time that is not before its latest event. */
export function decideCampaign(command: CampaignCommand, state: CampaignState): readonly CampaignEvent[] {
  return decideAt(
    command.type === "CreateCampaign" ? notCreatedBefore(command, state) : inOrder(command, state),
    state,
  );
}

function notCreatedBefore(
  { type, campaign }: Of<CampaignCommand, "CreateCampaign">,
  { lastAt }: CampaignState,
): Of<CampaignCommand, "CreateCampaign"> {
  return { type, campaign: { ...campaign, at: notBefore(lastAt, campaign.at) } };
}

function decideAt(command: CampaignCommand, state: CampaignState): readonly CampaignEvent[] {
  switch (command.type) {
    case "ImportContacts":
      return importContacts(command, state);
    case "CreateCampaign":
      return create(command, state);
    case "AbandonImport":
      return abandonImport(command, state);
    case "JudgeConditions":
      return judgeConditions(state, command.world, command.now);
    case "DialDueContacts":
      return dialDueContacts(command, state);
    case "CompleteIfDone":
      return completeIfDone(command, state);
    default:
      return decideExisting(command, existing(state));
  }
}

/** Commands that need an existing campaign. */
function decideExisting(command: Remaining, campaign: ExistingCampaign): readonly CampaignEvent[] {
  switch (command.type) {
    case "AddContacts":
      return addContacts(command, campaign);
    case "StartCampaign":
      return start(command, campaign);
    case "StartInTime":
      return startInTime(command, campaign);
    case "PauseCampaign":
      return pause(command, campaign);
    case "ResumeCampaign":
      return resume(command, campaign);
    case "CancelCampaign":
      return cancel(command, campaign);
    case "ChangeSettings":
      return changeSettings(command, campaign);
    case "RecordAttemptOutcome":
      return recordAttemptOutcome(command, campaign);
    case "SkipContact":
      return skipContact(command, campaign);
    case "EndCalledSince":
      return endCalledSince(command, campaign);
    default:
      return assertNever(command);
  }
}
