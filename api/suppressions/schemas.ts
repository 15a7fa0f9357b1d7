import { z } from "zod";
import { e164, instant, label, phoneNumber, text } from "../../contract/fields.ts";
import { parsePhoneNumber } from "../../domain/shared/phone-number.ts";

export const MAX_SUPPRESSIONS = 10_000;

/**
 * A number that is not E.164 is rejected later and reported; here it only has to be text.
 * `number`: its parsed form.
 */
export const suppressionItem = z
  .strictObject({
    phoneNumber: text(0, 255).meta({ description: "In E.164 format; any other is rejected and reported" }),
    reason: label.nullable().optional().meta({ description: "Why it is not called, 1 to 255 characters" }),
  })
  .meta({ id: "SuppressionItem" })
  .transform((item) => ({ ...item, number: parsePhoneNumber(item.phoneNumber) }));

export type SuppressionItem = z.infer<typeof suppressionItem>;

const always = () => true;
const given = (body: unknown, name: string) =>
  typeof body === "object" && body !== null && Reflect.get(body, name) !== undefined;
const isSomething = (body: unknown) => given(body, "phoneNumber") || given(body, "items");
const isOneThing = (body: unknown) =>
  !given(body, "items") || !(given(body, "phoneNumber") || given(body, "reason"));

export const suppressionBodyOf = <List extends z.ZodType>(list: List) =>
  z
    .strictObject({
      phoneNumber: phoneNumber.optional(),
      reason: label.nullable().optional().meta({ description: "Why it is not called, 1 to 255 characters" }),
      items: list.optional(),
    })
    .refine(isSomething, { path: ["phoneNumber"], message: "Required, or items", when: always })
    .refine(isOneThing, {
      path: ["items"],
      message: "Stands in place of phoneNumber and reason",
      when: always,
    });

const COUNT = "Must hold 1 to 10,000 numbers";
const items = z
  .array(suppressionItem)
  .min(1, COUNT)
  .max(MAX_SUPPRESSIONS, COUNT)
  .meta({ description: "Many numbers at once, in place of phoneNumber and reason" })
  .transform((list): Iterable<SuppressionItem> => list);
/** For a list whose items are checked one by one. */
export const anyItems = z.array(z.unknown()).min(1, COUNT).max(MAX_SUPPRESSIONS, COUNT);

export const suppressionBody = suppressionBodyOf(items).meta({
  id: "SuppressionRequest",
  examples: [{ phoneNumber: "+905321112233", reason: "Asked us to stop" }],
});

export const suppression = z
  .object({ phoneNumber: e164, reason: z.string().nullable(), createdAt: instant })
  .meta({
    id: "Suppression",
    examples: [
      {
        phoneNumber: "+905321112233",
        reason: "Asked us to stop",
        createdAt: "2026-09-01T10:00:00.000Z",
      },
    ],
  });

const count = z.number().meta({ type: "integer", minimum: 0 });

export const suppressionReport = z
  .object({
    added: count.meta({ description: "Number of entries that are on the list since now" }),
    existing: count.meta({
      description: "Number of items whose number was on the list already, or stands in an item before",
    }),
    rejected: z
      .object({
        count,
        items: z.array(
          z.object({
            index: count.meta({ description: "Place in the request, counted from 0" }),
            phoneNumber: z.string(),
            reason: z.enum(["not_e164", "not_possible"]),
          }),
        ),
      })
      .meta({ description: "Items whose number cannot be one: how many, and the first 100" }),
  })
  .meta({ id: "SuppressionReport" });

export const suppressionDeleted = z.object({ phoneNumber: e164, deleted: z.literal(true) });
