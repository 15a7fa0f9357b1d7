import { createRootRoute, createRouter } from "@tanstack/react-router";
import { NotFound } from "./pages/not-found/not-found.tsx";
import { recordRoutes } from "./records/routes.ts";
import { Frame } from "./shell/frame.tsx";

const root = createRootRoute({ component: Frame, notFoundComponent: NotFound });

/** Pages are loaded when they are opened; the state of a page lives in its URL. */
export const router = createRouter({
  routeTree: root.addChildren([...recordRoutes(root)]),
  defaultPreload: "intent",
});
