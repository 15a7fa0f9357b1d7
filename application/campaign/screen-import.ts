import { createTextCheck } from "../../domain/campaign/personalisation.ts";
import { pinAssistant } from "../call/pin-configuration.ts";
import type { Caller } from "../outcome.ts";
import type { UseCaseDeps } from "../use-case-deps.ts";
import { type ScreenedContacts, type ScreeningRequest, screenContacts } from "./screen-contacts.ts";

/** What an import would make of its file. */
export type ScreenImportRequest = ScreeningRequest & {
  readonly assistantId: string;
  /** null: the assistant's default greeting. */
  readonly greetingMessage: string | null;
  readonly specialInstructions: string | null;
};

/** A dry run judges the contacts as the import would; an assistant that is missing or not published is the import's to refuse. */
export async function screenImport(
  deps: Pick<UseCaseDeps, "clock" | "directory">,
  caller: Caller,
  request: ScreenImportRequest,
): Promise<ScreenedContacts> {
  const pinned = await pinAssistant(deps.directory, caller.owner, request.assistantId);
  const assistant = pinned.ok ? pinned.value : { greetingMessage: "" };
  return screenContacts(deps, request, createTextCheck({ ...request, assistant }));
}
