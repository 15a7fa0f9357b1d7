import { assistantRoutes } from "./assistant.ts";
import { callRoutes } from "./call.ts";
import { callSeriesRoutes } from "./call-series.ts";
import { handoffRoutes } from "./handoff.ts";
import { squadRoutes } from "./squad.ts";
import { squadMemberRoutes } from "./squad-member.ts";

/** Every operation of the API by its operationId. */
export const ROUTES = {
  ...assistantRoutes,
  ...callRoutes,
  ...callSeriesRoutes,
  ...handoffRoutes,
  ...squadRoutes,
  ...squadMemberRoutes,
};

export type Routes = typeof ROUTES;
