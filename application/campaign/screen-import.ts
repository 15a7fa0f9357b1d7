import type { CampaignWarning } from "../../domain/campaign/warnings/warning.ts";
import type { Caller } from "../outcome.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";
import { assistantTexts, NO_ASSISTANT, textsOf } from "./campaign-texts.ts";
import { type CreateCampaignRequest, judgedSettings } from "./create-campaign.ts";
import { judgeWarnings, screenAndJudge } from "./judge-warnings.ts";
import type { ScreenedContacts, ScreeningRequest } from "./screen-contacts.ts";

/** Checks a file as its import would. */
export type ScreenImportRequest = ScreeningRequest &
  Pick<
    CreateCampaignRequest,
    "assistantId" | "greetingMessage" | "specialInstructions" | "timezone" | "window" | "retryOn"
  >;

export type ScreenedImport = ScreenedContacts & { readonly warnings: readonly CampaignWarning[] };

/**
 * A dry run judges the contacts as the import would. A missing or unpublished assistant is
 * refused only by the import.
 */
export async function screenImport(
  deps: Pick<UseCaseDeps, "clock" | "directory" | "admission" | "policies" | "settings">,
  caller: Caller,
  request: ScreenImportRequest,
): Promise<ScreenedImport> {
  const pinned = await assistantTexts(deps.directory, caller.owner, request.assistantId);
  const texts = textsOf(request, pinned.ok ? pinned.value : NO_ASSISTANT);
  const { screened, judged } = await screenAndJudge(deps, request, texts);
  const warnings = await judgeWarnings(deps, caller.owner, judgedSettings(request), judged);
  return { ...screened, warnings };
}
