import type { Calls } from "../log/aggregates.ts";
import type { Reaction } from "../log/reaction.ts";
import { callStream } from "../log/stream-names.ts";
import type { RecordedEvent } from "../ports/event-codec.ts";
import type { Recordings } from "../ports/recordings.ts";
import { firstLookAt } from "./expected-recordings.ts";

type Deps = { readonly calls: Calls; readonly recordings: Pick<Recordings, "add" | "expect"> };

const AT_ONCE = 16;

/** Stores every recording that a carrier has reported, so that it is copied, or said to come. */
export function recordingsReaction({ calls, recordings }: Deps): Reaction {
  const found = async (recorded: RecordedEvent) => {
    const { event } = recorded;
    const isToCome = event.type === "CallCompleted" && event.data.recordingStatus === "pending";
    const recordingRef = event.type === "CallRecordingAvailable" ? event.data.recordingRef : null;
    if (!("callId" in event.data) || (!isToCome && recordingRef === null)) return null;
    const { callId, at } = event.data;
    const dialled = await calls.query(callStream(callId), ({ owner, carrier }) => ({ owner, carrier }));
    if (dialled.owner === null) return null;
    return { callId, owner: dialled.owner, carrier: dialled.carrier, recordingRef, lookAt: firstLookAt(at) };
  };
  return {
    name: "recordings",
    types: ["CallCompleted", "CallRecordingAvailable"],
    handle: async (events) => {
      const made: NonNullable<Awaited<ReturnType<typeof found>>>[] = [];
      for (let from = 0; from < events.length; from += AT_ONCE) {
        const some = await Promise.all(events.slice(from, from + AT_ONCE).map(found));
        made.push(...some.filter((each) => each !== null));
      }
      await recordings.expect(made.filter(({ recordingRef }) => recordingRef === null));
      await recordings.add(
        made.flatMap(({ recordingRef, ...of }) => (recordingRef === null ? [] : [{ ...of, recordingRef }])),
      );
    },
  };
}
