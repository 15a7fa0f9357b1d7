import type { PinnedAssistant, PinnedSquad } from "../../../domain/call/pinned.ts";
import type { AssistantId, MemberId, OwnerId, PhoneNumberId } from "../../../domain/shared/ids.ts";
import { type Refusal, refused } from "../../outcome.ts";
import { isAssistantId, isPhoneNumberId } from "../../parse-id.ts";
import type { AssistantVersion, Directory, NumberEntry } from "../../ports/directory.ts";
import type { SquadToPin } from "../../squad/squad-to-pin.ts";
import { type Speaker, withOverrides } from "./speakers.ts";

export type Pinned<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly refusal: Refusal };

type SpeakerDirectory = Pick<Directory, "assistant" | "assistantVersion">;

/** The published version of the assistant, which is frozen. */
export async function pinAssistant(
  directory: SpeakerDirectory,
  owner: OwnerId,
  assistantId: string,
): Promise<Pinned<AssistantVersion>> {
  const missing = refused(
    "ASSISTANT_NOT_FOUND",
    "Assistant not found",
    at("assistantId", "Unknown assistant"),
  );
  if (!isAssistantId(assistantId)) return missing;
  const assistant = await directory.assistant(owner, assistantId);
  if (assistant === null) return missing;
  return pinVersion(directory, owner, assistantId, assistant.publishedVersion);
}

/** null: nothing is published. */
export async function pinVersion(
  directory: SpeakerDirectory,
  owner: OwnerId,
  assistantId: AssistantId,
  number: number | null,
): Promise<Pinned<AssistantVersion>> {
  const version = number === null ? null : await directory.assistantVersion(owner, assistantId, number);
  if (version !== null) return { ok: true, value: version };
  return refused(
    "ASSISTANT_NOT_PUBLISHED",
    "Assistant has no published version. Please publish the assistant first",
    at("assistantId", "Not published"),
  );
}

export async function pinPhoneNumber(
  directory: Directory,
  owner: OwnerId,
  phoneNumberId: string,
): Promise<Pinned<NumberEntry & { readonly phoneNumberId: PhoneNumberId }>> {
  const found = isPhoneNumberId(phoneNumberId) ? await directory.phoneNumber(owner, phoneNumberId) : null;
  if (found?.active === true && isPhoneNumberId(phoneNumberId)) {
    return { ok: true, value: { phoneNumberId, ...found } };
  }
  return refused(
    "PHONE_NUMBER_NOT_FOUND",
    "Phone number not found or not active",
    at("phoneNumberId", "Unknown or not active"),
  );
}

/** The current squad and its speakers, the first speaker first. */
export type SquadLine = { readonly squad: PinnedSquad; readonly speakers: readonly Speaker[] };

/**
 * The current squad, each member with its version. `assistantId` must be a member: it speaks first, in the
 * version that the caller gives.
 */
export async function pinSquad(
  directory: SpeakerDirectory,
  owner: OwnerId,
  squad: SquadToPin | null,
  first: AssistantVersion,
): Promise<Pinned<SquadLine>> {
  if (squad === null) return refused("SQUAD_NOT_FOUND", "Squad not found", at("squadId", "Unknown squad"));
  if (!squad.members.some((member) => member.assistantId === first.assistantId)) {
    return refused(
      "VALIDATION_ERROR",
      "The assistant is not a member of the squad",
      at("assistantId", "Must be the assistant of one of the squad's members"),
    );
  }
  const speakers: SquadSpeaker[] = [];
  for (const member of squad.members) {
    const version = await memberVersion(directory, owner, member, first);
    if (version === null) {
      return refused(
        "ASSISTANT_NOT_PUBLISHED",
        "An assistant of the squad has no such published version. Please publish the assistant first",
        at("squadId", `Assistant ${member.assistantId} is not published`),
      );
    }
    const overrides = { ...squad.overrideSettings, ...member.overrideSettings };
    const links = squad.links.filter((link) => link.fromMemberId === member.memberId);
    speakers.push({ memberId: member.memberId, assistant: withOverrides(version, overrides), links });
  }
  const isFirst = ({ assistant }: Speaker) => assistant.assistantId === first.assistantId;
  return {
    ok: true,
    value: {
      squad: pinnedSquad(squad, speakers),
      speakers: [...speakers.filter(isFirst), ...speakers.filter((speaker) => !isFirst(speaker))],
    },
  };
}

type SquadSpeaker = Speaker & { readonly memberId: MemberId };

function pinnedSquad({ squadId, links }: SquadToPin, speakers: readonly SquadSpeaker[]): PinnedSquad {
  const assistants = new Map(speakers.map(({ memberId, assistant }) => [memberId, assistant.assistantId]));
  return {
    squadId,
    members: speakers.map(({ memberId, assistant }) => ({ memberId, ...pinnedAssistant(assistant) })),
    handoffs: links.flatMap(({ fromMemberId, toMemberId, toolName, message }) => {
      const fromAssistantId = assistants.get(fromMemberId);
      const toAssistantId = assistants.get(toMemberId);
      if (fromAssistantId === undefined || toAssistantId === undefined) return [];
      return [{ fromAssistantId, toAssistantId, toolName, message }];
    }),
  };
}

async function memberVersion(
  directory: SpeakerDirectory,
  owner: OwnerId,
  member: SquadToPin["members"][number],
  speaker: AssistantVersion,
): Promise<AssistantVersion | null> {
  if (member.assistantVersion !== null) {
    return directory.assistantVersion(owner, member.assistantId, member.assistantVersion);
  }
  if (member.assistantId === speaker.assistantId) return speaker;
  const pinned = await pinAssistant(directory, owner, member.assistantId);
  return pinned.ok ? pinned.value : null;
}

export function pinnedAssistant(version: AssistantVersion): PinnedAssistant {
  const { assistantId, name, greetingMessage } = version;
  return { assistantId, assistantVersion: version.version, name, greetingMessage };
}

function at(path: string, message: string) {
  return [{ path: [path], message }];
}
