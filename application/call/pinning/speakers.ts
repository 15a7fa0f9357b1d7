import type { MemberId } from "../../../domain/shared/ids.ts";
import type { JsonObject, JsonValue } from "../../../domain/shared/json.ts";
import type { HandoffLink } from "../../../domain/squad/events.ts";
import type { AssistantVersion } from "../../ports/directory.ts";

export type SpeakerLink = Omit<HandoffLink, "handoffId" | "fromMemberId" | "enabled">;

/** An assistant that can speak on a call. */
export type Speaker = {
  /** null: a call without a squad. */
  readonly memberId: MemberId | null;
  /** With the overrides of the squad and of the member applied. */
  readonly assistant: AssistantVersion;
  /** Members to whom it can hand the call over. */
  readonly links: readonly SpeakerLink[];
};

/** Settings of a squad or a member that replace the assistant's own; unknown ones are ignored. */
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
