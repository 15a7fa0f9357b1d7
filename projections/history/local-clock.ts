import type { Instant } from "../../domain/shared/instant.ts";
import { localTime } from "../../domain/window/call-window.ts";

/** `2026-09-01 13:00:00 +03:00` */
export function clockTime(timezone: string, at: Instant): string {
  const { localTime: local } = localTime(timezone, at);
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${local.slice(23).replace("Z", "+00:00")}`;
}
