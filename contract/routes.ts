import { accountRoutes } from "./account.ts";
import { analysisRoutes } from "./analysis.ts";
import { apiKeyRoutes } from "./api-key.ts";
import { assistantRoutes } from "./assistant.ts";
import { callRoutes } from "./call.ts";
import { callSeriesRoutes } from "./call-series.ts";
import { campaignRoutes } from "./campaign.ts";
import { campaignCommandRoutes } from "./campaign-commands.ts";
import { campaignImportRoutes } from "./campaign-import.ts";
import { campaignStoryRoutes } from "./campaign-story.ts";
import { connectionRoutes } from "./connection.ts";
import { connectionCheckRoutes } from "./connection-check.ts";
import { contactRoutes } from "./contact.ts";
import { deliveryRoutes } from "./delivery.ts";
import { eligibilityRoutes } from "./eligibility.ts";
import { erasureRoutes } from "./erasure.ts";
import { handoffRoutes } from "./handoff.ts";
import { historyRoutes } from "./history.ts";
import { listNumberRoutes } from "./list-numbers.ts";
import { numberRoutes } from "./number.ts";
import { outboundCallRoutes } from "./outbound-call.ts";
import { outcomeTestRoutes } from "./outcome-test.ts";
import { phoneNumberRoutes } from "./phone-number.ts";
import { policyRoutes } from "./policy.ts";
import { rehearsalRoutes } from "./rehearsal.ts";
import { searchRoutes } from "./search.ts";
import { secretRoutes } from "./secret.ts";
import { serviceRoutes } from "./service.ts";
import { sessionRoutes } from "./session.ts";
import { squadRoutes } from "./squad.ts";
import { squadMemberRoutes } from "./squad-member.ts";
import { suppressionRoutes } from "./suppression.ts";
import { suppressionListRoutes } from "./suppression-list.ts";
import { toolRoutes } from "./tool.ts";
import { toolTestRoutes } from "./tool-test.ts";
import { userRoutes } from "./user.ts";
import { verificationRoutes } from "./verification.ts";
import { webhookRoutes } from "./webhook.ts";

/** Every operation of the API by its operationId. */
export const ROUTES = {
  ...accountRoutes,
  ...analysisRoutes,
  ...outcomeTestRoutes,
  ...apiKeyRoutes,
  ...assistantRoutes,
  ...callRoutes,
  ...callSeriesRoutes,
  ...phoneNumberRoutes,
  ...serviceRoutes,
  ...sessionRoutes,
  ...suppressionRoutes,
  ...suppressionListRoutes,
  ...policyRoutes,
  ...eligibilityRoutes,
  ...verificationRoutes,
  ...userRoutes,
  ...connectionRoutes,
  ...connectionCheckRoutes,
  ...handoffRoutes,
  ...secretRoutes,
  ...squadRoutes,
  ...squadMemberRoutes,
  ...deliveryRoutes,
  ...erasureRoutes,
  ...historyRoutes,
  ...listNumberRoutes,
  ...numberRoutes,
  ...outboundCallRoutes,
  ...rehearsalRoutes,
  ...searchRoutes,
  ...webhookRoutes,
  ...campaignRoutes,
  ...campaignCommandRoutes,
  ...campaignImportRoutes,
  ...campaignStoryRoutes,
  ...contactRoutes,
  ...toolRoutes,
  ...toolTestRoutes,
};

export type Routes = typeof ROUTES;
