import { callStream } from "../../application/log/stream-names.ts";
import { systemClock } from "../../infrastructure/clock.ts";
import { systemIds } from "../../infrastructure/ids.ts";
import { openPhoneLine } from "../../infrastructure/phone/phone-line.ts";
import { phoneRows } from "../../infrastructure/phone/phone-rows.ts";
import { withPhoneLine } from "../../infrastructure/phone/phone-telephony.ts";
import type { CarrierLine } from "./open-engine.ts";
import type { Work } from "./open-work.ts";
import type { Surroundings } from "./surroundings.ts";

/** The phones of this process, and the carrier beside them. */
export function openPhones(
  { stores, logger, closing }: Surroundings,
  { notifications }: Pick<Work, "notifications">,
  { telephony, sink, conversations, aggregates: { calls } }: CarrierLine,
) {
  const line = openPhoneLine({
    rows: phoneRows(stores.database.pool),
    notifications,
    sink,
    conversations: () => conversations,
    endReasonOf: (callId) => calls.query(callStream(callId), ({ endReason }) => endReason),
    processId: systemIds.uuid(),
    clock: systemClock,
    logger,
  });
  closing.push(line.stop);
  return { phones: line.phones, telephony: withPhoneLine(telephony, line.telephony) };
}
