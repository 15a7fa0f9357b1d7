import { z } from "zod";
import { instant, KIB, longText } from "../../contract/fields.ts";

export const SECRET_NAME = /^[A-Z0-9_]{1,64}$/;

export const secretBody = z
  .strictObject({ value: longText(8 * KIB) })
  .meta({ id: "SecretRequest", examples: [{ value: "s3cr3t" }] });

/** Without the value. */
export const secret = z
  .object({ name: z.string().regex(SECRET_NAME), updatedAt: instant })
  .meta({ id: "Secret", examples: [{ name: "SHOP_KEY", updatedAt: "2026-09-01T10:00:00.000Z" }] });

export const secretDeleted = z.object({ name: z.string(), deleted: z.literal(true) });
