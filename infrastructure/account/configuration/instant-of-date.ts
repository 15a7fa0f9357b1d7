import { type Instant, instantFromMillis } from "../../../domain/shared/instant.ts";

export function instantOfDate(date: Date): Instant {
  return instantFromMillis(date.getTime());
}
