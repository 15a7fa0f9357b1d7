import type { CallRequested } from "../../../domain/call/events.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { Aggregates } from "../../log/aggregates.ts";
import { squadToPin } from "../../squad/squad-to-pin.ts";
import { type Pinned, pinAssistant, pinnedAssistant, pinPhoneNumber, pinSquad } from "./pin-configuration.ts";
import { type PinDeps, pinConversation, toolsTooLarge } from "./pin-conversation.ts";

/** The references of the request; ids are any text that the caller sent. */
export type LineRequest = {
  readonly phoneNumberId: string;
  readonly assistantId: string;
  readonly squadId: string | null;
};

/** What a call is made with, before its texts are filled. */
export type PinnedLine = Pick<
  CallRequested["data"],
  | "from"
  | "phoneNumberId"
  | "connectionId"
  | "assistant"
  | "squad"
  | "voicemailPolicy"
  | "voicemailMessage"
  | "maxDurationSeconds"
> & { readonly pinned: string };

type Deps = PinDeps & { readonly aggregates: Pick<Aggregates, "squads"> };

/**
 * Refused in the documented order: assistant, phone number, squad. The conversation is stored
 * when nothing is refused.
 */
export function pinLine(deps: Deps, owner: OwnerId, request: LineRequest): Promise<Pinned<PinnedLine>> {
  return pinSpeakers(deps, owner, request, async () => {
    const from = await pinPhoneNumber(deps.directory, owner, request.phoneNumberId);
    if (!from.ok) return from;
    const { phoneNumberId, phoneNumber, connectionId } = from.value;
    return { ok: true, value: { from: phoneNumber, phoneNumberId, connectionId } };
  });
}

type PinnedSpeakers = Omit<PinnedLine, "from" | "phoneNumberId" | "connectionId">;

/** Who speaks, with what `pinNumber` pins: it is asked between assistant and squad. */
export async function pinSpeakers<Number extends object>(
  deps: Deps,
  owner: OwnerId,
  request: Pick<LineRequest, "assistantId" | "squadId">,
  pinNumber: () => Promise<Pinned<Number>>,
): Promise<Pinned<Number & PinnedSpeakers>> {
  const { directory } = deps;
  const assistant = await pinAssistant(directory, owner, request.assistantId);
  if (!assistant.ok) return assistant;
  const number = await pinNumber();
  if (!number.ok) return number;
  const { voicemailPolicy, voicemailMessage, maxDurationSeconds } = assistant.value;
  const line = { ...number.value, voicemailPolicy, voicemailMessage, maxDurationSeconds };
  if (request.squadId === null) {
    const speakers = [{ memberId: null, assistant: assistant.value, links: [] }];
    const pinned = await pinConversation(deps, owner, { squad: null, speakers });
    if (pinned === null) return toolsTooLarge("assistantId");
    return { ok: true, value: { ...line, assistant: pinnedAssistant(assistant.value), squad: null, pinned } };
  }
  const found = await squadToPin(deps.aggregates.squads, owner, request.squadId);
  const team = await pinSquad(directory, owner, found, assistant.value);
  if (!team.ok) return team;
  const { squad, speakers } = team.value;
  const first = pinnedAssistant(speakers[0]?.assistant ?? assistant.value);
  const pinned = await pinConversation(deps, owner, { squad: found, speakers });
  if (pinned === null) return toolsTooLarge("squadId");
  return { ok: true, value: { ...line, assistant: first, squad, pinned } };
}
