import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { stepOf } from "./pages/campaign-new/steps.ts";
import { deliverySearchOf } from "./pages/deliveries/search.ts";
import { NotFound } from "./pages/not-found/not-found.tsx";
import { Frame } from "./shell/frame.tsx";

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });

const webhooks = createRoute({
  getParentRoute: () => root,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("./pages/webhooks/webhooks.tsx"), "Webhooks"),
});

const campaignNew = createRoute({
  getParentRoute: () => root,
  path: "/campaigns/new",
  validateSearch: stepOf,
  component: lazyRouteComponent(() => import("./pages/campaign-new/campaign-new.tsx"), "CampaignNew"),
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
  routeTree: root.addChildren([campaignNew, webhooks, deliveries, apiKeys]),
  defaultPreload: "intent",
});
