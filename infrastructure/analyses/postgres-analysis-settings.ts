import type pg from "pg";
import type {
  AnalysisSettings,
  AnalysisTokens,
  StoredAnalysisSettings,
} from "../../application/ports/analyses.ts";
import { createRecentMap } from "../../application/recent-map.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { groupRunner } from "../postgres/group-runner.ts";
import { analysisSettingsKey } from "./analysis-settings-key.ts";

/** Each has at most some 20 KiB. */
const KEPT = 200;
/** As many rows as one statement adds. */
const LARGEST = 500;

/**
 * Table `config.analysis_settings`. Recently stored or read rows are cached: a row never changes and is never
 * deleted.
 */
export function createPostgresAnalysisSettings(pool: pg.Pool): StoredAnalysisSettings {
  const known = createRecentMap<string, AnalysisSettings>(KEPT);
  return {
    store: async (settings) => {
      const { sha256, body } = analysisSettingsKey(settings);
      if (known.get(sha256) !== undefined) return sha256;
      await pool.query(
        "insert into config.analysis_settings (sha256, body) values ($1, $2) on conflict do nothing",
        [sha256, body],
      );
      known.set(sha256, settings);
      return sha256;
    },
    read: async (sha256) => {
      const remembered = known.get(sha256);
      if (remembered !== undefined) return remembered;
      const { rows } = await pool.query<{ readonly body: AnalysisSettings }>(
        "select body from config.analysis_settings where sha256 = $1",
        [sha256],
      );
      const found = rows[0]?.body ?? null;
      if (found !== null) known.set(sha256, found);
      return found;
    },
  };
}

const ADD_TOKENS = `insert into work.analysis_tokens as old (owner_id, day, input_tokens, output_tokens)
  select owner, day, sum(input), sum(output)
  from json_to_recordset($1) as new (owner text, day date, input bigint, output bigint)
  group by owner, day order by owner, day
  on conflict (owner_id, day) do update set input_tokens = old.input_tokens + excluded.input_tokens,
    output_tokens = old.output_tokens + excluded.output_tokens`;

type Added = {
  readonly owner: OwnerId;
  readonly day: string;
  readonly input: number;
  readonly output: number;
};

/**
 * Table `work.analysis_tokens`, which usage and the plan's limit add to the tokens of conversations. What is
 * added at the same time is one statement.
 */
export function createPostgresAnalysisTokens(pool: pg.Pool): AnalysisTokens {
  const add = groupRunner<Added, void>(async (added) => {
    await pool.query({ name: "add tokens of analyses", text: ADD_TOKENS, values: [JSON.stringify(added)] });
    return added.map(() => undefined);
  }, LARGEST);
  return {
    add: (owner, day, { inputTokens, outputTokens }) =>
      add({ owner, day, input: inputTokens ?? 0, output: outputTokens ?? 0 }),
  };
}
