import { accountRoutes } from "./account.ts";
import { apiKeyRoutes } from "./api-key.ts";
import { callRoutes } from "./call.ts";
import { callSeriesRoutes } from "./call-series.ts";
import { phoneNumberRoutes } from "./phone-number.ts";
import { serviceRoutes } from "./service.ts";
import { sessionRoutes } from "./session.ts";
import { suppressionRoutes } from "./suppression.ts";
import { userRoutes } from "./user.ts";

/** Every operation of the API by its operationId. */
export const ROUTES = {
  ...accountRoutes,
  ...apiKeyRoutes,
  ...callRoutes,
  ...callSeriesRoutes,
  ...phoneNumberRoutes,
  ...serviceRoutes,
  ...sessionRoutes,
  ...suppressionRoutes,
  ...userRoutes,
};

export type Routes = typeof ROUTES;
