import type { Api } from "../api.ts";
import type { BodyChecks } from "../body/check-protocol.ts";
import type { BodyGates } from "../body/raw-body.ts";
import type { ApiDeps } from "../deps.ts";
import { registerCampaignCommands } from "./command-routes.ts";
import { registerContacts } from "./contact-routes.ts";
import { registerCreation } from "./create-routes.ts";
import { registerExplain } from "./explain-route.ts";
import { registerImport } from "./import-routes.ts";
import { registerPauseAll } from "./pause-all-route.ts";
import { registerPreview } from "./preview-routes.ts";
import { registerProgress } from "./progress-route.ts";
import { registerCampaignReading } from "./read-routes.ts";
import { registerStory } from "./story-route.ts";
import { registerTestCall } from "./test-call-route.ts";

/** docs/api.md §5. */
export function registerCampaigns(
  api: Api,
  deps: ApiDeps,
  bodies: { readonly checks: BodyChecks; readonly gates: BodyGates },
): void {
  registerCreation(api, deps);
  registerImport(api, deps, bodies);
  registerPreview(api, deps);
  registerCampaignCommands(api, deps);
  registerPauseAll(api, deps);
  registerTestCall(api, deps);
  registerCampaignReading(api, deps);
  registerProgress(api, deps);
  registerStory(api, deps);
  registerExplain(api, deps);
  registerContacts(api, deps);
}
