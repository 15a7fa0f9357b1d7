import manifest from "../../package.json" with { type: "json" };
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { type DashboardPages, sendPage, wantsPage } from "../dashboard/pages.ts";

const WAYS_ON = { docs: "/docs", openapi: "/openapi.json", health: "/health/ready" };

/**
 * For a client that knows only the address: a browser is redirected to the dashboard, or without one to the
 * pages of the API; a program gets a small record of what is here.
 */
export function registerRoot(api: Api, dashboard: DashboardPages | null): void {
  api.get("/", { schema: { hide: true } }, async (request, reply) => {
    if (dashboard !== null && wantsPage(request)) return sendPage(dashboard, request, reply);
    reply.header("Vary", "Accept");
    if (wantsPage(request)) return reply.redirect(WAYS_ON.docs);
    return data({ name: "Ringfold", version: manifest.version, ...WAYS_ON });
  });
}
