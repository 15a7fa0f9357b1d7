import type { CallWindow } from "../shared/call-window.ts";
import { hasHours } from "./local-window.ts";

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** `between 09:00 and 18:30 on Mon, Tue, not on 2026-12-25` */
export function timesToCall(window: CallWindow | null): string {
  if (window === null) return "at any hour";
  const { opens, closes } = hoursOf(window);
  return `${hasHours(window) ? `between ${opens} and ${closes}` : "at any hour"}${datesOf(window)}`;
}

/** `window 09:00–18:30 on Mon, Tue, not on 2026-12-25` */
export function windowInShort(window: CallWindow | null): string {
  return window === null ? "no call window" : `window ${hoursInShort(window)}`;
}

/** `09:00–18:30 on Mon, Tue, not on 2026-12-25` */
export function hoursInShort(window: CallWindow): string {
  const { opens, closes } = hoursOf(window);
  return `${hasHours(window) ? `${opens}–${closes}` : "of whole days"}${datesOf(window)}`;
}

function hoursOf({ start, startMinute = 0, end, endMinute = 0 }: CallWindow) {
  return { opens: clock(start, startMinute), closes: clock(end, endMinute) };
}

function datesOf({ days, excludedDates }: CallWindow): string {
  const on = days === undefined ? "" : ` on ${days.map((day) => WEEKDAYS[day - 1]).join(", ")}`;
  return excludedDates === undefined ? on : `${on}, not on ${excludedDates.join(", ")}`;
}

function clock(hour: number, minute: number): string {
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}
