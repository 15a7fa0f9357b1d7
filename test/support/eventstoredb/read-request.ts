import type { ReadReq } from "@eventstore/db-client/generated/streams_pb.js";
import { streamName } from "./proposed.ts";
import type { LogRecord } from "./records.ts";

export type ReadRequest = {
  readonly source: { readonly kind: "stream"; readonly name: string } | { readonly kind: "all" };
  readonly from: bigint | "start" | "end";
  readonly backward: boolean;
  readonly count: number;
  readonly subscription: boolean;
  readonly filter: RecordFilter | undefined;
};

export type RecordFilter = {
  readonly matches: (record: LogRecord) => boolean;
  readonly checkpointEvery: number;
};

/** The window that the node uses when the client names none. */
const DEFAULT_SEARCH_WINDOW = 32;
const BACKWARDS = 1;

export function parseReadRequest(request: ReadReq): ReadRequest {
  const options = request.getOptions();
  const stream = options?.getStream();
  return {
    source:
      stream === undefined
        ? { kind: "all" }
        : { kind: "stream", name: streamName(stream.getStreamIdentifier()?.getStreamName_asU8()) },
    from: stream === undefined ? fromPosition(options?.getAll()) : fromRevision(stream),
    backward: options?.getReadDirection() === BACKWARDS,
    count: Number(options?.getCount() ?? 0),
    subscription: options?.hasSubscription() === true,
    filter: options?.hasFilter() === true ? parseFilter(options.getFilter()) : undefined,
  };
}

function fromRevision(stream: ReadReq.Options.StreamOptions): ReadRequest["from"] {
  if (stream.hasRevision()) return BigInt(stream.getRevision());
  return stream.hasEnd() ? "end" : "start";
}

function fromPosition(all: ReadReq.Options.AllOptions | undefined): ReadRequest["from"] {
  const position = all?.getPosition();
  if (position !== undefined) return BigInt(position.getCommitPosition());
  return all?.hasEnd() === true ? "end" : "start";
}

function parseFilter(filter: ReadReq.Options.FilterOptions | undefined): RecordFilter | undefined {
  const expression = filter?.getStreamIdentifier() ?? filter?.getEventType();
  if (filter === undefined || expression === undefined) return undefined;
  const field = filter.hasStreamIdentifier() ? "stream" : "type";
  const prefixes = expression.getPrefixList();
  const regex = new RegExp(expression.getRegex());
  const window = filter.hasMax() ? filter.getMax() : DEFAULT_SEARCH_WINDOW;
  return {
    matches: (record) =>
      prefixes.length > 0
        ? prefixes.some((prefix) => record[field].startsWith(prefix))
        : regex.test(record[field]),
    checkpointEvery: window * Math.max(1, filter.getCheckpointintervalmultiplier()),
  };
}
