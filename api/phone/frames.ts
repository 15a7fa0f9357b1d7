import { type FromPhone, fromPhone } from "../../contract/phone.ts";

/** Characters; a person types fewer at once. */
export const LONGEST_FRAME = 16 * 1024;

/** null: not a frame of a phone; it is ignored. */
export function readFrame(text: string): FromPhone | null {
  try {
    return fromPhone.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
