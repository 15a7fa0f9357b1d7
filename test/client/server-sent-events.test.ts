import { fc, it } from "@fast-check/vitest";
import { expect } from "vitest";
import { eventParser, type ServerSentEvent } from "../../client/server-sent-events.ts";

const STREAM =
  ': connected\n\nid: 7\n\nid: 8\nevent: CallCompleted\ndata: {"name":"Ayşe 📞"}\n\nevent: closing\r\ndata: one\r\ndata:two\r\n\r\n: still here\r\rid: 9\rdata\r\rid: 10\ndata: half';

const EVENTS: readonly ServerSentEvent[] = [
  { id: null, event: "message", data: null },
  { id: "7", event: "message", data: null },
  { id: "8", event: "CallCompleted", data: '{"name":"Ayşe 📞"}' },
  { id: null, event: "closing", data: "one\ntwo" },
  { id: null, event: "message", data: null },
  { id: "9", event: "message", data: "" },
];

const bytes = new TextEncoder().encode(STREAM);

it.prop([fc.uniqueArray(fc.nat(bytes.length), { maxLength: 40 })])(
  "are the same wherever the stream is cut into pieces, within a letter too",
  (cuts) => {
    const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
    const parser = eventParser();
    const events = places.flatMap((place, index) => parser.push(bytes.slice(place, places[index + 1])));
    expect(events).toEqual(EVENTS);
  },
);
