import { callRoutes } from "./call.ts";
import { callSeriesRoutes } from "./call-series.ts";
import { campaignRoutes } from "./campaign.ts";
import { campaignCommandRoutes } from "./campaign-commands.ts";
import { campaignImportRoutes } from "./campaign-import.ts";
import { campaignStoryRoutes } from "./campaign-story.ts";
import { contactRoutes } from "./contact.ts";

/** Every operation of the API by its operationId. */
export const ROUTES = {
  ...callRoutes,
  ...callSeriesRoutes,
  ...campaignRoutes,
  ...campaignCommandRoutes,
  ...campaignImportRoutes,
  ...campaignStoryRoutes,
  ...contactRoutes,
};

export type Routes = typeof ROUTES;
