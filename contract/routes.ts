import { callRoutes } from "./call.ts";
import { callSeriesRoutes } from "./call-series.ts";
import { historyRoutes } from "./history.ts";
import { outboundCallRoutes } from "./outbound-call.ts";

/** Every operation of the API by its operationId. */
export const ROUTES = {
  ...callRoutes,
  ...callSeriesRoutes,
  ...historyRoutes,
  ...outboundCallRoutes,
};

export type Routes = typeof ROUTES;
