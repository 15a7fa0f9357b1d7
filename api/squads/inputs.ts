import type { ProblemDetail, Refusal } from "../../application/outcome.ts";
import type { HandoffInput, MemberInput } from "../../application/squad/squad-requests.ts";
import { jsonObject } from "../../contract/fields.ts";
import type { HandoffBody } from "../../contract/handoff.ts";
import type { MemberBody } from "../../contract/squad-member.ts";

export function memberInput(body: MemberBody): MemberInput {
  return {
    assistantId: body.assistantId,
    assistantVersion: body.assistantVersion ?? null,
    isEntry: body.isEntry ?? false,
    position: body.position ?? null,
    overrideSettings: jsonObject(body.overrideSettings),
  };
}

export function handoffInput(body: HandoffBody): HandoffInput {
  return {
    from: body.fromMemberId ?? body.fromAssistantId ?? "",
    to: body.toMemberId ?? body.toAssistantId ?? "",
    toolName: body.toolName ?? null,
    description: body.description,
    message: body.message ?? null,
    contextMode: body.contextMode ?? "all",
    contextMaxMessages: body.contextMaxMessages ?? null,
    variables: body.variables ?? [],
    enabled: body.enabled ?? true,
  };
}

/** Maps a refusal about `from` or `to` to the field name that the body used. */
export function atNamedEnds(refusal: Refusal, body: HandoffBody): Refusal {
  const named = ({ path, message }: ProblemDetail): ProblemDetail => ({
    path: path.map((step) => (step === "from" || step === "to" ? endField(step, body) : step)),
    message,
  });
  return { ...refusal, details: refusal.details.map(named) };
}

function endField(end: "from" | "to", body: HandoffBody): string {
  return body[`${end}MemberId`] === undefined ? `${end}AssistantId` : `${end}MemberId`;
}
