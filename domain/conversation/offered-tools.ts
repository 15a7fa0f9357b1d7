import { assertNever } from "../shared/errors.ts";
import type { JsonObject } from "../shared/json.ts";
import { beginningOf } from "../shared/storable-text.ts";
import { CALL_BACK_LATER_MEANS, CALL_BACK_LATER_TAKES } from "./calling-back.ts";
import type { PromptTool } from "./effects.ts";
import { STOP_CALLING } from "./opt-out.ts";
import {
  CALL_BACK_LATER,
  type HandoffTo,
  type OfferedTool,
  type Speaker,
  type ToolArguments,
} from "./script.ts";

const NO_ARGUMENTS: JsonObject = { type: "object", properties: {}, additionalProperties: false };

const STOP_CALLING_MEANS =
  "Puts the customer on the do-not-call list for good and ends the call. Only when the customer asks never to be called again, without a time or a condition. The customer is told by itself.";

/** What a function name of the model refers to. */
export type Offer =
  | { readonly kind: "tool"; readonly tool: OfferedTool }
  | { readonly kind: "end_call"; readonly tool: OfferedTool | null }
  | { readonly kind: "stop_calling" }
  | { readonly kind: "call_back_later" }
  | { readonly kind: "transfer"; readonly tool: OfferedTool }
  | { readonly kind: "handoff"; readonly handoff: HandoffTo };

/** All functions that this speaker's model may call, by name. */
export function offersOf(speaker: Speaker): ReadonlyMap<string, Offer> {
  const offers = new Map<string, Offer>();
  for (const tool of speaker.tools) offers.set(tool.functionName, offerOf(tool));
  for (const handoff of speaker.handoffs) {
    if (!offers.has(handoff.toolName)) offers.set(handoff.toolName, { kind: "handoff", handoff });
  }
  const ends = [...offers.values()].some(({ kind }) => kind === "end_call");
  if (!ends && !offers.has("end_call")) offers.set("end_call", { kind: "end_call", tool: null });
  if (speaker.optOut === "listen" && !offers.has(STOP_CALLING))
    offers.set(STOP_CALLING, { kind: "stop_calling" });
  if (speaker.callback != null && !offers.has(CALL_BACK_LATER))
    offers.set(CALL_BACK_LATER, { kind: "call_back_later" });
  return offers;
}

function offerOf(tool: OfferedTool): Offer {
  if (tool.type === "END_CALL") return { kind: "end_call", tool };
  if (tool.type === "TRANSFER_CALL") return { kind: "transfer", tool };
  return { kind: "tool", tool };
}

export function promptTools(speaker: Speaker, toolArguments: ToolArguments): readonly PromptTool[] {
  return [...offersOf(speaker)].map(([name, offer]) => ({
    name,
    description: descriptionOf(offer),
    parameters: schemaOf(offer, toolArguments),
  }));
}

function descriptionOf(offer: Offer): string {
  if (offer.kind === "handoff") return offer.handoff.description;
  if (offer.kind === "stop_calling") return STOP_CALLING_MEANS;
  if (offer.kind === "call_back_later") return CALL_BACK_LATER_MEANS;
  return offer.tool?.description ?? "Ends the call. Say goodbye first.";
}

/** JSON schema of what the function takes. */
export function schemaOf(offer: Offer, { argumentsSchema }: ToolArguments): JsonObject {
  switch (offer.kind) {
    case "tool":
      return argumentsSchema(offer.tool);
    case "end_call":
    case "stop_calling":
    case "transfer":
      return NO_ARGUMENTS;
    case "call_back_later":
      return CALL_BACK_LATER_TAKES;
    case "handoff":
      return variablesSchema(offer.handoff);
    default:
      return assertNever(offer);
  }
}

function variablesSchema({ variables }: HandoffTo): JsonObject {
  const rows = variables.map(({ name, type, description }) => [name, { type, description }] as const);
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(rows),
      ...(variables.some(({ name }) => name === "reason")
        ? {}
        : { reason: { type: "string", description: "Why the call is handed over, in a few words" } }),
    },
    required: variables.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The problem with the variables that the model filled; null: none. */
export function variablesFault({ variables }: HandoffTo, given: JsonObject): string | null {
  for (const { name, type, required } of variables) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null) {
      if (required) return `The argument ${name} is missing.`;
    } else if (typeof value !== type) return `The argument ${name} must be a ${type}.`;
  }
  const known = new Set(["reason", ...variables.map(({ name }) => name)]);
  const strange = Object.keys(given).find((name) => !known.has(name));
  return strange === undefined ? null : `There is no argument ${beginningOf(strange, 64)}.`;
}
