import { z } from "zod";
import { assistantFields } from "../../contract/assistant.ts";
import { greeting, label } from "../../contract/fields.ts";

/** Settings of a squad or a member that replace those of an assistant (docs/api.md §6). */
export const overrideSettings = z
  .strictObject({
    model: label.nullable().optional(),
    temperature: assistantFields.temperature.given,
    voice: label.nullable().optional(),
    language: label.nullable().optional(),
    greetingMessage: greeting.optional(),
  })
  .meta({ id: "OverrideSettings", examples: [{ voice: "warm", temperature: 0.2 }] });
