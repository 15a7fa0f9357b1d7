import type pg from "pg";
import type { Admission } from "../../../application/ports/admission.ts";
import type { Logger } from "../../../application/ports/logger.ts";
import type { Metrics } from "../../../application/ports/metrics.ts";
import type { Notifications } from "../../../application/ports/notifications.ts";
import type { Account, RefusedByPolicy } from "../../../domain/admission/grants.ts";
import {
  admitting,
  closing,
  endingSlowing,
  ensuring,
  lookingAtShared,
  lookingRound,
  type Operation,
  slowing,
  takingTurn,
  toppingUp,
  touchedBy,
  withdrawing,
} from "../../../domain/admission/operations.ts";
import type { ConnectionTurn, DialToJudge } from "../../../domain/admission/requests.ts";
import type { CallId, OwnerId } from "../../../domain/shared/ids.ts";
import { millisOf } from "../../../domain/shared/instant.ts";
import { groupRunner } from "../../postgres/group-runner.ts";
import { BEGIN_WITH_KEPT_PLANS, inTransaction, RELAXED } from "../../postgres/transaction.ts";
import type { SubjectKeyRing } from "../subject-keys/postgres-subject-keys.ts";
import { loadBooks } from "./load-books.ts";
import { dueLooks, expectSession, type Look, nextLookAt, openIntents, setNextLooks } from "./next-looks.ts";
import { judgeDials } from "./numbers.ts";
import { createWakes, type Wakes } from "./wakes.ts";
import { writeBooks } from "./write-books.ts";

const LARGEST_GROUP = 500;

export type PostgresAdmissionDeps = {
  readonly pool: pg.Pool;
  readonly notifications: Notifications;
  readonly logger: Logger;
  /** A call gets its key in the transaction that opens its slot. */
  readonly keys: Pick<SubjectKeyRing, "draw" | "remember">;
  readonly metrics?: Pick<Metrics, "count">;
  /** Name of this process in work.processes; absent: it holds no conversations. */
  readonly processId?: string;
};

export type PostgresAdmission = Admission & {
  /** After it nobody is woken. */
  readonly stop: () => void;
  /** The processes can hold more conversations than before: campaigns that wait for that are woken. */
  readonly capacityChanged: () => Promise<void>;
};

/** What this process knows of connections: those that have a row, and those that are slowed down. */
type SeenConnections = { readonly known: Set<string>; readonly slowed: Set<string> };

/**
 * Admission in PostgreSQL. Operations that wait at the same time in this process share one transaction, which
 * locks the owners' rows; so does every other process. While the database is unavailable everything rejects
 * (`isRetryableDatabaseError`), and all of it may be repeated.
 */
export function createPostgresAdmission(deps: PostgresAdmissionDeps): PostgresAdmission {
  const { pool, notifications, logger, metrics, processId = null } = deps;
  const connections: SeenConnections = { known: new Set(), slowed: new Set() };
  const isFree = (connection: ConnectionTurn | null): boolean =>
    connection === null ||
    (connection.callsPerSecond === null &&
      connection.maxConcurrentCalls === null &&
      connections.known.has(connection.key));
  const inGroup = groupRunner<Operation<unknown>, unknown>(
    (operations) => runTogether(deps, wakes, connections, operations),
    LARGEST_GROUP,
  );
  const run = async <Answer>({ touches, apply }: Operation<Answer>): Promise<Answer> => {
    const answers: { readonly answer: Answer }[] = [];
    await inGroup({ touches, apply: (books) => answers.push({ answer: apply(books) }) });
    const last = answers.at(-1);
    if (last === undefined) throw new Error("the operation was not run");
    return last.answer;
  };
  const wakes: Wakes = createWakes(notifications, logger, (owner) => run(lookingRound(owner)));
  const hasSlot = groupRunner<CallId, boolean>((callIds) => haveSlots(pool, callIds), LARGEST_GROUP);
  const judged = groupRunner<DialToJudge, RefusedByPolicy | null>(
    (dials) => judgeDials(pool, dials),
    LARGEST_GROUP,
  );
  const look = groupRunner<readonly Look[], null>((looks) => setAllLooks(pool, looks), LARGEST_GROUP);
  return {
    admit: (request) => run(admitting(request, processId !== null || !isFree(request.connection))),
    slowDown: async (key, retryAfterMillis) => {
      const carrier = await run(slowing(key, retryAfterMillis));
      if (carrier !== null) metrics?.count("ringfold_carrier_throttled_total", { carrier });
    },
    tookDial: async (key, begunMillisAgo) => {
      if (connections.slowed.has(key)) await run(endingSlowing(key, begunMillisAgo));
    },
    takeTurn: (connection, before) => run(takingTurn(connection, millisOf(before))),
    close: (settlements) => run(closing(settlements)),
    judge: (dial) => judged(dial),
    ensure: async (slot, price) => {
      if (!(await hasSlot(slot.callId))) await run(ensuring(slot, price));
    },
    openIntents: (owner, phoneNumber) => openIntents(pool, owner, phoneNumber),
    dueLooks: (now, limit) => dueLooks(pool, now, limit),
    setNextLooks: async (looks) => {
      await look(looks);
    },
    expectSession: (callId, by) => expectSession(pool, callId, by),
    nextLookAt: () => nextLookAt(pool),
    account: (owner) => accountOf(pool, owner),
    topUp: async (owner, amount, reference) => {
      const { account, wakes: campaigns } = await run(toppingUp(owner, amount, reference));
      wakes.tell(campaigns);
      return account;
    },
    onWake: wakes.onWake,
    withdrawDemand: (campaignId) => run(withdrawing(campaignId)),
    capacityChanged: () => run(lookingAtShared()),
    stop: wakes.close,
  };
}

async function runTogether(
  { pool, keys, processId = "" }: PostgresAdmissionDeps,
  wakes: Wakes,
  connections: SeenConnections,
  operations: readonly Operation<unknown>[],
): Promise<readonly unknown[]> {
  const decide = async (client: pg.PoolClient) => {
    const books = await loadBooks(client, touchedBy(operations), processId);
    const answers = operations.map(({ apply }) => apply(books));
    const drawn = books.opened.map(({ callId, owner }) => keys.draw(callId, owner));
    const stored = await writeBooks(client, books, drawn, processId);
    return { books, answers, drawn: drawn.filter(({ subject }) => stored.has(subject)) };
  };
  const { books, answers, drawn } = await inTransaction(pool, decide, BEGIN_WITH_KEPT_PLANS);
  keys.remember(drawn);
  for (const { key, slowed } of books.shared.connections.values()) {
    connections.known.add(key);
    if (slowed > 0) connections.slowed.add(key);
    else connections.slowed.delete(key);
  }
  wakes.afterCommit(books);
  return answers;
}

async function haveSlots(pool: pg.Pool, callIds: readonly CallId[]): Promise<readonly boolean[]> {
  const { rows } = await pool.query<{ call_id: CallId }>({
    name: "have-slots",
    text: HAVE_SLOTS,
    values: [callIds],
  });
  const known = new Set(rows.map((row) => row.call_id));
  return callIds.map((callId) => known.has(callId));
}

/**
 * Those under a policy note that their call is in the log. Locked in the order of their ids, as everywhere;
 * not flushed: where that is lost, the call is not named.
 */
const HAVE_SLOTS = `
with ${RELAXED}, news as (
  select call_id from work.call_slots, relaxed
  where call_id = any($1::text[]) and policy is not null and not requested and closed_at is null
  order by call_id for update of call_slots
), noted as (
  update work.call_slots s set requested = true from news where s.call_id = news.call_id
)
select call_id from work.call_slots where call_id = any($1::text[])`;

async function setAllLooks(pool: pg.Pool, looks: readonly (readonly Look[])[]): Promise<readonly null[]> {
  await setNextLooks(pool, looks.flat());
  return looks.map(() => null);
}

async function accountOf(pool: pg.Pool, owner: OwnerId): Promise<Account> {
  const { rows } = await pool.query<{ live: number; balance: string; reserved: string }>({
    name: "account",
    text: "select live, balance, reserved from work.owner_accounts where owner_id = $1",
    values: [owner],
  });
  const [row] = rows;
  if (row === undefined) return { balance: 0, reserved: 0, liveCalls: 0 };
  return { balance: Number(row.balance), reserved: Number(row.reserved), liveCalls: row.live };
}
