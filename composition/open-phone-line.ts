import type { Calls } from "../application/log/aggregates.ts";
import { callStream } from "../application/log/stream-names.ts";
import { openPhoneLine } from "../application/phone/phone-line.ts";
import type { CarrierEventSink } from "../application/ports/carrier.ts";
import type { Conversations } from "../application/ports/voice-session.ts";
import { systemClock } from "../infrastructure/clock.ts";
import { systemIds } from "../infrastructure/ids.ts";
import { phoneRows } from "../infrastructure/postgres/phone-rows.ts";
import type { Adapters } from "./open-adapters.ts";
import type { ServiceContext } from "./service-context.ts";

type Told = {
  readonly sink: CarrierEventSink;
  readonly conversations: Conversations;
  readonly calls: Calls;
};

/** The phones of this process, and the phone line that rings them. */
export function openPhones(
  { stores, logger, closing }: ServiceContext,
  { notifications }: Pick<Adapters, "notifications">,
  { sink, conversations, calls }: Told,
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
  return { phones: line.phones, phoneLine: line.telephony };
}
