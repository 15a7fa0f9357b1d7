import type pg from "pg";
import type { Notifications } from "../../../application/ports/notifications.ts";
import type { SecretBox } from "../../../application/ports/secret-box.ts";
import type { Subject, SubjectKey, SubjectKeys } from "../../../application/ports/subject-keys.ts";
import { createRecentMap } from "../../../application/recent-map.ts";
import { isMissingTable } from "../../postgres/database-error.ts";
import { type DrawnKey, drawKey, openKey } from "./draw-key.ts";

/** Some 4 MB. */
const KEPT_KEYS = 20_000;
const TOPIC = "subject-keys";

export type SubjectKeyRing = SubjectKeys & {
  /** A new key; the caller stores it. */
  readonly draw: <Of extends Subject>(subject: Of, owner: string) => DrawnKey<Of>;
  /** The caller has stored these. */
  readonly remember: (drawn: readonly DrawnKey[]) => void;
  /** Drops these keys from the caches, here and in every other process. */
  readonly forget: (subjects: readonly Subject[]) => void;
  /**
   * From now on keys are cached, because erasures by other processes are notified. Nothing is cached while
   * notifications may be missed.
   */
  readonly hear: (notifications: Notifications) => () => void;
};

type Row = {
  readonly subject: Subject;
  readonly owner_id: string;
  readonly sealed_key: Buffer | null;
  readonly erased: boolean;
};

/** Keys in config.subject_keys, encrypted with SECRETS_KEY (docs/decisions/0027). */
export function createPostgresSubjectKeys(pool: pg.Pool, box: SecretBox): SubjectKeyRing {
  let open = createRecentMap<Subject, SubjectKey>(KEPT_KEYS);
  let notifications: Notifications | null = null;
  /** Counts calls of `forget`: an answer that was in flight meanwhile may be older, and is not cached. */
  let forgotten = 0;
  const mayKeep = () => notifications?.listening() === true;
  const keep = (subject: Subject, key: SubjectKey) => {
    if (mayKeep() && key.kind !== "unusable") open.set(subject, key);
  };
  const forget = (subjects: readonly Subject[]) => {
    forgotten += 1;
    for (const subject of subjects) open.delete(subject);
  };
  const forgetAll = () => {
    forgotten += 1;
    open = createRecentMap(KEPT_KEYS);
  };
  return {
    async of(subjects) {
      const found = new Map<Subject, SubjectKey>();
      const asked: Subject[] = [];
      for (const subject of subjects) {
        const known = mayKeep() ? open.get(subject) : undefined;
        if (known === undefined) asked.push(subject);
        else found.set(subject, known);
      }
      if (asked.length === 0) return found;
      const before = forgotten;
      for (const [subject, key] of await load(pool, box, asked)) {
        found.set(subject, key);
        if (forgotten === before) keep(subject, key);
      }
      return found;
    },
    draw: (subject, owner) => drawKey(box, subject, owner),
    remember: (drawn) => {
      for (const { subject, key } of drawn) keep(subject, { kind: "open", key });
    },
    forget: (subjects) => {
      forget(subjects);
      for (const subject of subjects) notifications?.tell(TOPIC, subject);
    },
    hear: (given) => {
      notifications = given;
      return given.subscribe(TOPIC, { onMessage: (subject) => forget([subject]), onGap: forgetAll });
    },
  };
}

async function load(
  pool: pg.Pool,
  box: SecretBox,
  subjects: readonly Subject[],
): Promise<Map<Subject, SubjectKey>> {
  const rows = await readRows(pool, subjects);
  const undrawn = rows.filter(({ sealed_key: sealed, erased }) => sealed === null && !erased);
  if (undrawn.length === 0) return new Map(rows.map((row) => [row.subject, keyOf(box, row)]));
  await drawMissing(
    pool,
    undrawn.map(({ subject, owner_id: owner }) => drawKey(box, subject, owner)),
  );
  return new Map((await readRows(pool, subjects)).map((row) => [row.subject, keyOf(box, row)]));
}

/** A tool of this release on a database that is not migrated yet: nothing is encrypted there. */
async function readRows(pool: pg.Pool, subjects: readonly Subject[]): Promise<readonly Row[]> {
  try {
    const { rows } = await pool.query<Row>({
      name: "subject-keys",
      text: `select subject, owner_id, sealed_key, erased_at is not null as erased
        from config.subject_keys where subject = any($1::text[])`,
      values: [subjects],
    });
    return rows;
  } catch (error) {
    if (isMissingTable(error)) return [];
    throw error;
  }
}

/**
 * Calls that were live when the release with encryption started. Two processes may draw at once;
 * the first key counts.
 */
async function drawMissing(pool: pg.Pool, drawn: readonly DrawnKey[]): Promise<void> {
  await pool.query(
    `update config.subject_keys k set sealed_key = decode(d.sealed, 'base64')
     from unnest($1::text[], $2::text[]) as d(subject, sealed)
     where k.subject = d.subject and k.sealed_key is null and k.erased_at is null`,
    [drawn.map(({ subject }) => subject), drawn.map(({ sealed }) => sealed)],
  );
}

function keyOf(box: SecretBox, { subject, sealed_key: sealed, erased }: Row): SubjectKey {
  if (erased || sealed === null) return { kind: "erased" };
  const key = openKey(box, subject, sealed);
  return key === null ? { kind: "unusable" } : { kind: "open", key };
}
