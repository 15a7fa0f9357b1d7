import type { MemberId } from "../../domain/shared/ids.ts";
import type { JsonObject, JsonValue } from "../../domain/shared/json.ts";
import type { HandoffLink } from "../../domain/squad/events.ts";
import type { AssistantVersion } from "../ports/directory.ts";

export type SpeakerLink = Omit<HandoffLink, "handoffId" | "fromMemberId" | "enabled">;

/** One who can speak on a call. */
export type Speaker = {
  /** null: a call without a squad. */
  readonly memberId: MemberId | null;
  /** With the overrides of the squad and of the member. */
  readonly assistant: AssistantVersion;
  /** Whom this one can hand the call to. */
  readonly links: readonly SpeakerLink[];
};

/** Settings of a squad or a member in place of the assistant's own; what is of no use there changes nothing. */
export function withOverrides(version: AssistantVersion, overrides: JsonObject): AssistantVersion {
  const { model, temperature, voice, language, greetingMessage } = overrides;
  return {
    ...version,
    ...(isTextOrNull(model) ? { model } : {}),
    ...(typeof temperature === "number" || temperature === null ? { temperature } : {}),
    ...(isTextOrNull(voice) ? { voice } : {}),
    ...(isTextOrNull(language) ? { language } : {}),
    ...(typeof greetingMessage === "string" ? { greetingMessage } : {}),
  };
}

function isTextOrNull(value: JsonValue | undefined): value is string | null {
  return typeof value === "string" || value === null;
}
