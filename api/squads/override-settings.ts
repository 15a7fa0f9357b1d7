import { z } from "zod";
import { temperature } from "../assistants/schemas.ts";
import { greeting, label } from "../schema.ts";

/** What a squad or a member says in place of an assistant (docs/api.md §6). */
export const overrideSettings = z
  .strictObject({
    model: label.nullable().optional(),
    temperature,
    voice: label.nullable().optional(),
    language: label.nullable().optional(),
    greetingMessage: greeting.optional(),
  })
  .meta({ id: "OverrideSettings", examples: [{ voice: "warm", temperature: 0.2 }] });
