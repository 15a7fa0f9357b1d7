import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { campaignSearch } from "./pages/campaign/search.ts";
import { stepOf } from "./pages/campaign-new/steps.ts";
import { campaignsSearch } from "./pages/campaigns/search.ts";
import { deliverySearchOf } from "./pages/deliveries/search.ts";
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
const campaignNew = createRoute({
  getParentRoute: () => root,
  path: "/campaigns/new",
  validateSearch: stepOf,
  component: lazyRouteComponent(() => import("./pages/campaign-new/campaign-new.tsx"), "CampaignNew"),
});
const webhooks = createRoute({
  getParentRoute: () => root,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("./pages/webhooks/webhooks.tsx"), "Webhooks"),
});
const deliveries = createRoute({
  getParentRoute: () => root,
  path: "/deliveries",
  validateSearch: deliverySearchOf,
  component: lazyRouteComponent(() => import("./pages/deliveries/deliveries.tsx"), "Deliveries"),
});
const apiKeys = createRoute({
  getParentRoute: () => root,
  path: "/api-keys",
  component: lazyRouteComponent(() => import("./pages/api-keys/api-keys.tsx"), "ApiKeys"),
});

/** Pages are loaded when they are opened; the state of a page lives in its URL. */
export const router = createRouter({
  routeTree: root.addChildren([home, campaigns, campaign, campaignNew, webhooks, deliveries, apiKeys]),
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
