import type { PinnedAssistant } from "../../../domain/call/pinned.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { ModelUse } from "../../ports/assistant-check.ts";
import type { Directory } from "../../ports/directory.ts";
import type { AssistantHealth } from "./assistant-health.ts";

type Versions = { readonly directory: Pick<Directory, "assistantVersion"> };
/** For a squad, the assistant that speaks first counts. */
type SpeaksFirst = Pick<PinnedAssistant, "assistantId" | "assistantVersion">;

export async function modelUse(
  { directory }: Versions,
  owner: OwnerId,
  { assistantId, assistantVersion }: SpeaksFirst,
): Promise<ModelUse> {
  const version = await directory.assistantVersion(owner, assistantId, assistantVersion);
  return { owner, connectionId: version?.modelConnectionId ?? null, model: version?.model ?? null };
}

/** Reads the version only when one of the owner's calls has failed. */
export async function assistantIsUnavailable(
  deps: Versions & { readonly assistantHealth: AssistantHealth },
  owner: OwnerId,
  assistant: SpeaksFirst,
): Promise<boolean> {
  if (!deps.assistantHealth.anyFailed(owner)) return false;
  return deps.assistantHealth.unavailable(await modelUse(deps, owner, assistant));
}
