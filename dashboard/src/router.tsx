import { createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { campaignSearch } from "./pages/campaign/search.ts";
import { campaignsSearch } from "./pages/campaigns/search.ts";
import { NotFound } from "./pages/not-found/not-found.tsx";
import { Frame } from "./shell/frame.tsx";

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/campaigns" });
  },
});
const campaigns = createRoute({
  getParentRoute: () => root,
  path: "/campaigns",
  validateSearch: campaignsSearch,
}).lazy(() => import("./pages/campaigns/route.tsx").then(({ campaignsRoute }) => campaignsRoute));
const campaign = createRoute({
  getParentRoute: () => root,
  path: "/campaigns/$campaignId",
  validateSearch: campaignSearch,
}).lazy(() => import("./pages/campaign/route.tsx").then(({ campaignRoute }) => campaignRoute));

/** Pages are loaded when they are opened; the state of a page lives in its URL. */
export const router = createRouter({
  routeTree: root.addChildren([home, campaigns, campaign]),
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
