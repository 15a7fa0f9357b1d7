import { type RequestAnalysisDeps, requestAnalysis } from "./call/analysis/request-analysis.ts";
import { type TestOutcomeDeps, testOutcome } from "./call/analysis/test-outcome.ts";
import { type EndCallDeps, endCall } from "./call/end-call.ts";
import type { SingleCallAnswer } from "./call/single-call.ts";
import { startOutboundCall } from "./call/start-outbound-call.ts";
import { addContacts } from "./campaign/add-contacts.ts";
import { type CampaignCommandDeps, campaignCommands } from "./campaign/campaign-commands.ts";
import { createCampaign } from "./campaign/create-campaign.ts";
import { judgedCommands } from "./campaign/judged-commands.ts";
import { previewTexts } from "./campaign/preview-texts.ts";
import { screenImport } from "./campaign/screen-import.ts";
import { startTestCall, type TestCallDeps } from "./campaign/test-call.ts";
import { type Caller, type Outcome, refused } from "./outcome.ts";
import { type ChangePolicyDeps, changePolicy } from "./policy/policies.ts";
import { type TestEligibilityDeps, testEligibility } from "./policy/test-eligibility.ts";
import { handoffUseCases } from "./squad/squad-handoffs.ts";
import { memberUseCases } from "./squad/squad-members.ts";
import { squadUseCases } from "./squad/squads.ts";
import type { Bind } from "./use-case-deps.ts";
import { answeredInTime } from "./within-limit.ts";

/**
 * All actions of users, for the API and the programs. Reads come from the read models;
 * `Outcome.position` says how far these must have come. Bodies are already checked for shape and size;
 * references and states are checked here.
 */
export type UseCases = ReturnType<typeof createUseCases>;

type AllDeps = TestCallDeps &
  EndCallDeps &
  CampaignCommandDeps &
  RequestAnalysisDeps &
  TestOutcomeDeps &
  ChangePolicyDeps &
  TestEligibilityDeps;

/**
 * Fills the first argument of each use case and puts `requireOpen` before it: its error is the answer
 * while no decision is allowed here. While `dialsNobody` gives a reason, a single call is refused with
 * it before anything else is checked. What stores nothing is answered at any time.
 */
export function createUseCases(deps: AllDeps, requireOpen: () => void, dialsNobody: () => string | null) {
  const bound: Bind<AllDeps> =
    (useCase) =>
    async (...rest) => {
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
  const storingNothing: Bind<AllDeps> =
    (useCase) =>
    (...rest) =>
      useCase(deps, ...rest);
  return {
    startOutboundCall: single(startOutboundCall),
    startTestCall: single(startTestCall),
    endCall: bound(endCall),
    requestAnalysis: bound(requestAnalysis),
    testOutcome: storingNothing(testOutcome),
    createCampaign: bound(createCampaign),
    screenImport: storingNothing(screenImport),
    previewTexts: storingNothing(previewTexts),
    addContacts: bound(addContacts),
    changePolicy: bound(changePolicy),
    testEligibility: storingNothing(testEligibility),
    ...judgedCommands(bound),
    ...campaignCommands(bound),
    ...squadUseCases(bound),
    ...memberUseCases(bound),
    ...handoffUseCases(bound),
  };
}
