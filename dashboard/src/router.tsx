import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from "@tanstack/react-router";
import { prepareCampaign } from "./pages/campaign/prepare.ts";
import { campaignSearch } from "./pages/campaign/search.ts";
import { stepOf } from "./pages/campaign-new/steps.ts";
import { campaignsSearch } from "./pages/campaigns/search.ts";
import { NotFound } from "./pages/not-found/not-found.tsx";
import { Frame } from "./shell/frame.tsx";

const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({
  component: Frame,
  notFoundComponent: NotFound,
});

/** A page that reads its query itself. */
const page = <const Path extends string>(path: Path, component: RouteComponent) =>
  createRoute({ getParentRoute: () => root, path, component });
const lazy = lazyRouteComponent;

const home = page(
  "/",
  lazy(() => import("./pages/overview/overview.tsx"), "Overview"),
);
const campaigns = createRoute({
  getParentRoute: () => root,
  path: "/campaigns",
  validateSearch: campaignsSearch,
}).lazy(() => import("./pages/campaigns/route.tsx").then(({ campaignsRoute }) => campaignsRoute));
const campaign = createRoute({
  getParentRoute: () => root,
  path: "/campaigns/$campaignId",
  validateSearch: campaignSearch,
  beforeLoad: ({ cause, params, context }) => {
    if (cause === "enter") void prepareCampaign(context.queries, params.campaignId);
  },
}).lazy(() => import("./pages/campaign/route.tsx").then(({ campaignRoute }) => campaignRoute));
const campaignNew = createRoute({
  getParentRoute: () => root,
  path: "/campaigns/new",
  validateSearch: stepOf,
  component: lazy(() => import("./pages/campaign-new/campaign-new.tsx"), "CampaignNew"),
});
const deliveries = page(
  "/deliveries",
  lazy(() => import("./pages/deliveries/deliveries.tsx"), "Deliveries"),
);

const run = [
  home,
  campaigns,
  campaignNew,
  campaign,
  page(
    "/calls",
    lazy(() => import("./pages/calls/calls.tsx"), "Calls"),
  ),
  page(
    "/calls/$id",
    lazy(() => import("./pages/call/call.tsx"), "Call"),
  ),
  page(
    "/numbers",
    lazy(() => import("./pages/numbers/numbers.tsx"), "Numbers"),
  ),
  page(
    "/numbers/$number",
    lazy(() => import("./pages/number/number.tsx"), "NumberPage"),
  ),
  page(
    "/policy",
    lazy(() => import("./pages/policy/policy.tsx"), "Policy"),
  ),
  page(
    "/do-not-call",
    lazy(() => import("./pages/do-not-call/do-not-call.tsx"), "DoNotCall"),
  ),
] as const;
const start = page(
  "/welcome",
  lazy(() => import("./pages/welcome/welcome.tsx"), "Welcome"),
);
const build = [
  page(
    "/assistants",
    lazy(() => import("./pages/assistants/assistants.tsx"), "Assistants"),
  ),
  page(
    "/assistants/$id",
    lazy(() => import("./pages/assistant/assistant.tsx"), "Assistant"),
  ),
  page(
    "/assistants/$id/rehearsal",
    lazy(() => import("./pages/rehearsal/rehearsal.tsx"), "Rehearsal"),
  ),
  page(
    "/squads",
    lazy(() => import("./pages/squads/squads.tsx"), "Squads"),
  ),
  page(
    "/squads/$id",
    lazy(() => import("./pages/squad/squad.tsx"), "Squad"),
  ),
  page(
    "/tools",
    lazy(() => import("./pages/tools/tools.tsx"), "Tools"),
  ),
  page(
    "/phone-numbers",
    lazy(() => import("./pages/phone-numbers/phone-numbers.tsx"), "PhoneNumbers"),
  ),
] as const;
const connect = [
  page(
    "/webhooks",
    lazy(() => import("./pages/webhooks/webhooks.tsx"), "Webhooks"),
  ),
  deliveries,
  page(
    "/events",
    lazy(() => import("./pages/events/events.tsx"), "Events"),
  ),
  page(
    "/api-keys",
    lazy(() => import("./pages/api-keys/api-keys.tsx"), "ApiKeys"),
  ),
] as const;
const account = [
  page(
    "/credits",
    lazy(() => import("./pages/credits/credits.tsx"), "Credits"),
  ),
  page(
    "/connections",
    lazy(() => import("./pages/connections/connections.tsx"), "Connections"),
  ),
  page(
    "/privacy",
    lazy(() => import("./pages/privacy/privacy.tsx"), "Privacy"),
  ),
  page(
    "/users",
    lazy(() => import("./pages/users/users.tsx"), "Users"),
  ),
] as const;

/** Pages are loaded when they are opened; a page's state is in its URL. */
export const makeRouter = (queries: QueryClient) =>
  createRouter({
    routeTree: root.addChildren([start, ...run, ...build, ...connect, ...account]),
    defaultPreload: "intent",
    context: { queries },
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
