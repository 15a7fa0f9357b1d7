import { assistantRoutes } from "./assistant.ts";
import { callRoutes } from "./call.ts";
import { callSeriesRoutes } from "./call-series.ts";

/** Every operation of the API by its operationId. */
export const ROUTES = {
  ...assistantRoutes,
  ...callRoutes,
  ...callSeriesRoutes,
};

export type Routes = typeof ROUTES;
