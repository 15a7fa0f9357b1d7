import pg from "pg";
import type { Clock } from "../../application/ports/clock.ts";
import type { Logger } from "../../application/ports/logger.ts";
import type { ProcessorTurns } from "../../application/ports/processor-turns.ts";

export type PostgresProcessorTurns = ProcessorTurns & {
  /** Returns every turn and takes none any more. */
  readonly close: () => Promise<void>;
};

type Deps = {
  /**
   * A direct connection to the server: a pooler that shares connections between clients would
   * hold a turn for nobody.
   */
  readonly connection: pg.ClientConfig;
  readonly clock: Clock;
  readonly logger: Logger;
};
type Ask = (text: string, values?: readonly string[]) => Promise<pg.QueryResult<{ taken: boolean | null }>>;
type Session = {
  readonly ask: Ask;
  /** Resolves when every query is answered. */
  readonly answered: () => Promise<void>;
  readonly lost: AbortController;
  readonly over: Promise<void>;
};

const PROBE_MILLIS = 1_000;
/** After this silence the server ends the session of a process that is suspended or cut off. */
const LONGEST_SILENCE_MILLIS = 10_000;
const ANSWER_WITHIN_MILLIS = 5_000;
const LEAVE_TO_OTHERS_MILLIS = 250;

/**
 * Advisory locks of one connection for each process: they are released when the connection is gone. A
 * process that holds more turns than another living one waits a moment before it takes a free turn, so
 * that processes that start together share them. Nobody returns a turn for that: a later process gets
 * turns that become free.
 */
export function createPostgresProcessorTurns(deps: Deps): PostgresProcessorTurns {
  const { clock, logger } = deps;
  let session: Promise<Session> | null = null;
  let closed = false;
  const forget = () => {
    session = null;
  };
  const current = (): Promise<Session> => {
    session ??= openSession(deps, forget);
    return session;
  };
  return {
    tryTake: async (processor) => {
      if (closed) return null;
      try {
        const { ask, lost } = await current();
        const taken = (await tryLock(ask, TAKE_FAIRLY, processor)) ?? (await takeLater(ask, processor));
        if (!taken) return null;
        const release = () => void ask(RELEASE, [processor]).catch(() => lost.abort());
        return { lost: lost.signal, release };
      } catch (error) {
        logger.warn({ processor, problem: String(error) }, "nobody can tell whose turn it is, asks again");
        return null;
      }
    },
    close: async () => {
      closed = true;
      const open = await session?.catch(() => null);
      // A connection that ends before its answer leaves a FATAL line in the database's log.
      await open?.answered();
      open?.lost.abort();
      await open?.over;
    },
  };

  async function takeLater(ask: Ask, processor: string): Promise<boolean | null> {
    await clock.sleep(LEAVE_TO_OTHERS_MILLIS);
    return tryLock(ask, TAKE, processor);
  }
}

async function openSession({ connection, clock }: Deps, forget: () => void): Promise<Session> {
  const client = new pg.Client({
    ...connection,
    application_name: "ringfold turns",
    connectionTimeoutMillis: ANSWER_WITHIN_MILLIS,
    query_timeout: ANSWER_WITHIN_MILLIS,
  });
  const lost = new AbortController();
  client.on("error", () => lost.abort());
  client.on("end", () => lost.abort());
  lost.signal.addEventListener("abort", forget);
  try {
    await client.connect();
    await client.query(`set idle_session_timeout = ${LONGEST_SILENCE_MILLIS}`);
    await client.query(BE_COUNTED);
    const { ask, answered } = oneAfterAnother(client);
    return { ask, answered, lost, over: probe(client, ask, lost, clock) };
  } catch (error) {
    lost.abort();
    await client.end().catch(() => undefined);
    throw error;
  }
}

function oneAfterAnother(client: pg.Client): Pick<Session, "ask" | "answered"> {
  let before: Promise<unknown> = Promise.resolve();
  const ask: Ask = (text, values = []) => {
    const answer = before.then(() => client.query<{ taken: boolean | null }>(text, [...values]));
    before = answer.catch(() => undefined);
    return answer;
  };
  const answered = async () => {
    for (let last: unknown; last !== before; await before) last = before;
  };
  return { ask, answered };
}

/** Until the session is lost. */
async function probe(client: pg.Client, ask: Ask, lost: AbortController, clock: Clock): Promise<void> {
  while (!lost.signal.aborted) {
    await clock.sleep(PROBE_MILLIS, lost.signal);
    if (!lost.signal.aborted) await ask("select 1").catch(() => lost.abort());
  }
  await client.end().catch(() => undefined);
}

/** null: it was left to another process. */
async function tryLock(ask: Ask, text: string, processor: string): Promise<boolean | null> {
  const { rows } = await ask(text, [processor]);
  return rows[0]?.taken ?? null;
}

/** First key of the locks; a number that nothing else in the database uses. */
const LOCKS = 1_953_852_014;
/** Every living process shares the lock 0, so that one without a turn is counted as well. */
const BE_COUNTED = `select pg_advisory_lock_shared(${LOCKS}, 0)`;
const TAKE = `select pg_try_advisory_lock(${LOCKS}, hashtext($1)) as taken`;
const RELEASE = `select pg_advisory_unlock(${LOCKS}, hashtext($1))`;
const TAKE_FAIRLY = `
with processes as (
  select pid, count(*) as locks from pg_locks
  where locktype = 'advisory' and classid = ${LOCKS} and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database())
  group by pid
)
select case when exists (
  select from processes where locks < (select locks from processes where pid = pg_backend_pid())
) then null else pg_try_advisory_lock(${LOCKS}, hashtext($1)) end as taken`;
