import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

type Component = ReturnType<typeof lazyRouteComponent>;

/** Each page of records is loaded when it is opened. */
const PAGES: readonly (readonly [path: string, Component])[] = [
  ["/calls", lazyRouteComponent(() => import("../pages/calls/calls.tsx"), "Calls")],
  ["/calls/$id", lazyRouteComponent(() => import("../pages/call/call.tsx"), "Call")],
  ["/do-not-call", lazyRouteComponent(() => import("../pages/do-not-call/do-not-call.tsx"), "DoNotCall")],
  [
    "/phone-numbers",
    lazyRouteComponent(() => import("../pages/phone-numbers/phone-numbers.tsx"), "PhoneNumbers"),
  ],
  ["/assistants", lazyRouteComponent(() => import("../pages/assistants/assistants.tsx"), "Assistants")],
  ["/assistants/$id", lazyRouteComponent(() => import("../pages/assistant/assistant.tsx"), "Assistant")],
  ["/tools", lazyRouteComponent(() => import("../pages/tools/tools.tsx"), "Tools")],
  ["/squads", lazyRouteComponent(() => import("../pages/squads/squads.tsx"), "Squads")],
  ["/squads/$id", lazyRouteComponent(() => import("../pages/squad/squad.tsx"), "Squad")],
  ["/credits", lazyRouteComponent(() => import("../pages/credits/credits.tsx"), "Credits")],
  ["/users", lazyRouteComponent(() => import("../pages/users/users.tsx"), "Users")],
  ["/events", lazyRouteComponent(() => import("../pages/events/events.tsx"), "Events")],
];

export const recordRoutes = (root: AnyRoute): readonly AnyRoute[] =>
  PAGES.map(([path, component]) => createRoute({ getParentRoute: () => root, path, component }));
