import { callRoutes } from "./call.ts";
import { callSeriesRoutes } from "./call-series.ts";
import { campaignRoutes } from "./campaign.ts";
import { campaignCommandRoutes } from "./campaign-commands.ts";
import { campaignImportRoutes } from "./campaign-import.ts";
import { campaignStoryRoutes } from "./campaign-story.ts";
import { contactRoutes } from "./contact.ts";
import { deliveryRoutes } from "./delivery.ts";
import { erasureRoutes } from "./erasure.ts";
import { historyRoutes } from "./history.ts";
import { numberRoutes } from "./number.ts";
import { outboundCallRoutes } from "./outbound-call.ts";
import { searchRoutes } from "./search.ts";
import { webhookRoutes } from "./webhook.ts";

/** Every operation of the API by its operationId. */
export const ROUTES = {
  ...callRoutes,
  ...callSeriesRoutes,
  ...campaignRoutes,
  ...campaignCommandRoutes,
  ...campaignImportRoutes,
  ...campaignStoryRoutes,
  ...contactRoutes,
  ...deliveryRoutes,
  ...erasureRoutes,
  ...historyRoutes,
  ...numberRoutes,
  ...outboundCallRoutes,
  ...searchRoutes,
  ...webhookRoutes,
};

export type Routes = typeof ROUTES;
