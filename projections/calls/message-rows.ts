import { sql } from "kysely";
import { changedMessage, messageOf, toolCallIdOf } from "../../application/call/shown-messages.ts";
import type { RecordedEvent } from "../../application/ports/event-codec.ts";
import type { ShownMessage } from "../../contract/conversation.ts";
import type { CallSpeechCut, CallToolEnded } from "../../domain/call/conversation-events.ts";
import { isCallEvent } from "../../domain/event-kinds.ts";
import type { CallId } from "../../domain/shared/ids.ts";
import type { ReadTransaction, TableOf } from "../engine/projection.ts";

export type CallMessagesTable = {
  readonly call_id: CallId;
  readonly index: number;
  /** Revision of the last event that changed it. */
  readonly revision: number;
  readonly tool_call_id: string | null;
  readonly message: ShownMessage;
};

/** Changes of messages that this batch does not add. */
type Change = { readonly revision: number; readonly event: CallSpeechCut | CallToolEnded };

export async function createMessageTable(trx: ReadTransaction, tableOf: TableOf): Promise<void> {
  await sql`create table ${tableOf("call_messages")} (
    call_id text collate "C" not null,
    index integer not null,
    revision integer not null,
    tool_call_id text,
    message json not null,
    primary key (call_id, index)
  )`.execute(trx);
}

/**
 * Writes the messages of a batch. Most are added and never changed: only a cut or a result of a message from
 * an earlier batch needs a read. Each row stores its revision, so that the same events again change nothing.
 */
export async function writeMessages(
  trx: ReadTransaction,
  tableOf: TableOf,
  events: readonly RecordedEvent[],
): Promise<void> {
  const rows = new Map<string, CallMessagesTable>();
  const places = new Map<string, string>();
  const put = (row: CallMessagesTable) => {
    const place = placeOf(row.call_id, row.index);
    rows.set(place, row);
    if (row.tool_call_id !== null) places.set(row.tool_call_id, place);
  };
  const { added, changes } = sorted(events);
  for (const row of added) put(row);
  const find = ({ event }: Change) => {
    const place =
      event.type === "CallSpeechCut"
        ? placeOf(event.data.callId, event.data.messageIndex)
        : places.get(event.data.toolCallId);
    return place === undefined ? undefined : rows.get(place);
  };
  const unknown = changes.filter((change) => find(change) === undefined);
  for (const row of await loadMessages(trx, tableOf, unknown)) put(row);
  for (const change of changes) {
    const row = find(change);
    if (row === undefined || row.revision >= change.revision) continue;
    put({ ...row, revision: change.revision, message: changedMessage(row.message, change.event) });
  }
  await saveMessages(trx, tableOf, [...rows.values()]);
}

function placeOf(callId: CallId, index: number): string {
  return `${callId} ${index}`;
}

function sorted(events: readonly RecordedEvent[]) {
  const added: CallMessagesTable[] = [];
  const changes: Change[] = [];
  for (const { event, revision } of events) {
    if (!isCallEvent(event)) continue;
    if (event.type === "CallSpeechCut" || event.type === "CallToolEnded") changes.push({ revision, event });
    const message = messageOf(event);
    if (message === null) continue;
    const { callId: call_id } = event.data;
    added.push({ call_id, index: message.index, revision, tool_call_id: toolCallIdOf(event), message });
  }
  return { added, changes };
}

async function loadMessages(
  trx: ReadTransaction,
  tableOf: TableOf,
  changes: readonly Change[],
): Promise<readonly CallMessagesTable[]> {
  if (changes.length === 0) return [];
  const wanted = changes.map(({ event }) =>
    event.type === "CallSpeechCut"
      ? { id: event.data.callId, i: event.data.messageIndex, t: null }
      : { id: event.data.callId, i: null, t: event.data.toolCallId },
  );
  const { rows } = await sql<CallMessagesTable>`
    select distinct on (m.call_id, m.index) m.* from ${tableOf("call_messages")} m
    join json_to_recordset(${JSON.stringify(wanted)}) as w (id text, i integer, t text)
      on m.call_id = w.id and (m.index = w.i or m.tool_call_id = w.t)
    order by m.call_id, m.index`.execute(trx);
  return rows;
}

async function saveMessages(
  trx: ReadTransaction,
  tableOf: TableOf,
  messages: readonly CallMessagesTable[],
): Promise<void> {
  if (messages.length === 0) return;
  const rows = messages.map(({ call_id, index, revision, tool_call_id, message }) => ({
    id: call_id,
    i: index,
    r: revision,
    t: tool_call_id,
    m: message,
  }));
  await sql`insert into ${tableOf("call_messages")} as old (call_id, index, revision, tool_call_id, message)
    select id, i, r, t, m from json_to_recordset(${JSON.stringify(rows)}) as new
      (id text, i integer, r integer, t text, m json)
    on conflict (call_id, index) do update set revision = excluded.revision, message = excluded.message
      where old.revision < excluded.revision`.execute(trx);
}

/** None is added later: an erased call records no more messages. */
export async function eraseMessages(
  trx: ReadTransaction,
  tableOf: TableOf,
  callIds: readonly CallId[],
): Promise<void> {
  await sql`delete from ${tableOf("call_messages")} where call_id = any(${callIds}::text[])`.execute(trx);
}
