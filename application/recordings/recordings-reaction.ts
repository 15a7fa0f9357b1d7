import type { Calls } from "../log/aggregates.ts";
import type { Reaction } from "../log/reaction.ts";
import { callStream } from "../log/stream-names.ts";
import type { RecordedEvent } from "../ports/event-codec.ts";
import type { NewRecording, Recordings } from "../ports/recordings.ts";

type Deps = { readonly calls: Calls; readonly recordings: Pick<Recordings, "add"> };

const AT_ONCE = 16;

/** Stores every recording that a carrier has reported, so that it is copied. */
export function recordingsReaction({ calls, recordings }: Deps): Reaction {
  const found = async (recorded: RecordedEvent): Promise<NewRecording | null> => {
    const { event } = recorded;
    if (event.type !== "CallRecordingAvailable" || event.data.recordingRef === null) return null;
    const { callId, recordingRef } = event.data;
    const dialled = await calls.query(callStream(callId), ({ owner, carrier }) => ({ owner, carrier }));
    return dialled.owner === null
      ? null
      : { callId, owner: dialled.owner, carrier: dialled.carrier, recordingRef };
  };
  return {
    name: "recordings",
    types: ["CallRecordingAvailable"],
    handle: async (events) => {
      const made: NewRecording[] = [];
      for (let from = 0; from < events.length; from += AT_ONCE) {
        const some = await Promise.all(events.slice(from, from + AT_ONCE).map(found));
        made.push(...some.filter((each) => each !== null));
      }
      await recordings.add(made);
    },
  };
}
