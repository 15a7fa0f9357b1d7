import { type AnyRoute, createRoute, lazyRouteComponent } from "@tanstack/react-router";

type Component = ReturnType<typeof lazyRouteComponent>;

/** Each page of records is loaded when it is opened. */
const PAGES: readonly (readonly [path: string, Component])[] = [
  ["/calls", lazyRouteComponent(() => import("../pages/calls/calls.tsx"), "Calls")],
  ["/calls/$id", lazyRouteComponent(() => import("../pages/call/call.tsx"), "Call")],
];

export const recordRoutes = (root: AnyRoute): readonly AnyRoute[] =>
  PAGES.map(([path, component]) => createRoute({ getParentRoute: () => root, path, component }));
