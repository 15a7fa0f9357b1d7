import { z } from "zod";
import { idOf, instant, label } from "../../contract/fields.ts";
import { SCOPES } from "../../contract/scopes.ts";
import { creditAmount, plan, planBody } from "../account/schemas.ts";

export const userBody = z
  .strictObject({ name: label, plan: planBody.optional(), credits: creditAmount(0).optional() })
  .meta({ id: "UserRequest", examples: [{ name: "Acme", plan: { maxConcurrentCalls: 50 }, credits: 500 }] });

export const changeUserBody = z
  .strictObject({ name: label.optional(), plan: planBody.optional(), active: z.boolean().optional() })
  .meta({ id: "UserChanges", examples: [{ plan: { maxConcurrentCalls: 100 } }] });

/** A key for an owner who lost all keys; always with the scope admin. */
export const adminKeyBody = z
  .strictObject({ name: label.optional() })
  .nullish()
  .meta({ examples: [{ name: "Found again" }] });

export const user = z
  .object({
    id: idOf("usr"),
    name: z.string(),
    plan,
    active: z.boolean(),
    createdAt: instant,
    updatedAt: instant,
  })
  .meta({ id: "User" });

export const newUser = z
  .object({
    user,
    apiKey: z.object({
      id: idOf("key"),
      name: z.string(),
      scopes: z.array(z.enum(SCOPES)),
      key: z.string().nullable(),
    }),
  })
  .meta({ id: "NewUser" });
