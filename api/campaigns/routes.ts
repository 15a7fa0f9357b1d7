import type { Api } from "../api.ts";
import type { BodyChecks } from "../body/check-protocol.ts";
import type { BodyGates } from "../body/raw-body.ts";
import type { ApiDeps } from "../deps.ts";
import { registerCampaignCommands } from "./command-routes.ts";
import { registerContacts } from "./contact-routes.ts";
import { registerCreation } from "./create-routes.ts";
import { registerImport } from "./import-routes.ts";
import { registerCampaignReading } from "./read-routes.ts";
import { registerStory } from "./story-route.ts";

/** docs/api.md §5. */
export function registerCampaigns(
  api: Api,
  deps: ApiDeps,
  bodies: { readonly checks: BodyChecks; readonly gates: BodyGates },
): void {
  registerCreation(api, deps);
  registerImport(api, deps, bodies);
  registerCampaignCommands(api, deps);
  registerCampaignReading(api, deps);
  registerStory(api, deps);
  registerContacts(api, deps);
}
