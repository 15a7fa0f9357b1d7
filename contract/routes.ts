import { assistantRoutes } from "./assistant.ts";
import { callRoutes } from "./call.ts";
import { callSeriesRoutes } from "./call-series.ts";
import { connectionRoutes } from "./connection.ts";
import { connectionCheckRoutes } from "./connection-check.ts";
import { handoffRoutes } from "./handoff.ts";
import { secretRoutes } from "./secret.ts";
import { squadRoutes } from "./squad.ts";
import { squadMemberRoutes } from "./squad-member.ts";
import { toolRoutes } from "./tool.ts";
import { toolTestRoutes } from "./tool-test.ts";

/** Every operation of the API by its operationId. */
export const ROUTES = {
  ...assistantRoutes,
  ...callRoutes,
  ...callSeriesRoutes,
  ...connectionRoutes,
  ...connectionCheckRoutes,
  ...handoffRoutes,
  ...secretRoutes,
  ...squadRoutes,
  ...squadMemberRoutes,
  ...toolRoutes,
  ...toolTestRoutes,
};

export type Routes = typeof ROUTES;
