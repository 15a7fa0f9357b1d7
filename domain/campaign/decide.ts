import { assertNever } from "../shared/errors.ts";
import { dialDueContacts, recordAttemptOutcome, skipContact } from "./attempts.ts";
import { endCalledSince } from "./called-since.ts";
import type { CampaignCommand } from "./commands.ts";
import { judgeConditions } from "./conditions.ts";
import type { CampaignEvent } from "./events.ts";
import { abandonImport, addContacts, create, importContacts } from "./importing.ts";
import { cancel, changeSettings, completeIfDone, pause, resume, start, startInTime } from "./lifecycle.ts";
import type { CampaignState } from "./state.ts";

/** The rules of a campaign. */
export function decideCampaign(command: CampaignCommand, state: CampaignState): readonly CampaignEvent[] {
  switch (command.type) {
    case "ImportContacts":
      return importContacts(command, state);
    case "CreateCampaign":
      return create(command, state);
    case "AddContacts":
      return addContacts(command, state);
    case "AbandonImport":
      return abandonImport(command, state);
    case "StartCampaign":
      return start(command, state);
    case "StartInTime":
      return startInTime(command, state);
    case "PauseCampaign":
      return pause(command, state);
    case "ResumeCampaign":
      return resume(command, state);
    case "JudgeConditions":
      return judgeConditions(state, command.world, command.now);
    case "CancelCampaign":
      return cancel(command, state);
    case "ChangeSettings":
      return changeSettings(command, state);
    case "DialDueContacts":
      return dialDueContacts(command, state);
    case "RecordAttemptOutcome":
      return recordAttemptOutcome(command, state);
    case "SkipContact":
      return skipContact(command, state);
    case "EndCalledSince":
      return endCalledSince(command, state);
    case "CompleteIfDone":
      return completeIfDone(command, state);
    default:
      return assertNever(command);
  }
}
