import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { LineDirectory, LineSnapshots } from "../../../application/ports/line-snapshots.ts";
import type { FrozenLine } from "../../../application/ports/rehearsal-run.ts";
import { canonicalJson } from "../../../domain/shared/canonical-json.ts";
import type { OwnerId, ToolId } from "../../../domain/shared/ids.ts";
import { draftOf } from "./assistant-columns.ts";
import { storedAssistants } from "./assistant-rows.ts";
import type { ConfigurationTables } from "./tables.ts";

export function lineSnapshots(db: Kysely<ConfigurationTables>): LineSnapshots {
  return {
    read: (work) =>
      db
        .transaction()
        .setIsolationLevel("repeatable read")
        .execute((transaction) => work(lineDirectory(transaction))),
    hashOf,
  };
}

export function hashOf(line: FrozenLine): string {
  return createHash("sha256").update(canonicalJson(line)).digest("hex");
}

/** Reads in this transaction, and caches nothing. */
export function lineDirectory(transaction: Kysely<ConfigurationTables>): LineDirectory {
  const assistants = storedAssistants(transaction);
  return {
    assistant: async (owner, id) => {
      const row = await assistants.row(owner, id);
      return row === null ? null : { publishedVersion: row.published_version };
    },
    draft: async (owner, id) => {
      const row = await assistants.row(owner, id);
      return row === null ? null : { assistantId: id, version: 0, ...draftOf(row) };
    },
    assistantVersion: async (owner, id, version) => {
      if ((await assistants.row(owner, id)) === null) return null;
      const row = await transaction
        .selectFrom("config.assistant_versions")
        .selectAll()
        .where("assistant_id", "=", id)
        .where("version", "=", version)
        .executeTakeFirst();
      return row === undefined ? null : { assistantId: id, version, ...draftOf(row) };
    },
    tools: async (owner, ids) =>
      (await toolRows(transaction, owner, ids)).map(({ id: toolId, name, type, description, config }) => ({
        ...{ toolId, name, type, description, config },
      })),
    samples: async (owner, ids) =>
      Object.fromEntries(
        (await toolRows(transaction, owner, ids)).flatMap(({ id, sample_answer: sample }) =>
          sample === null ? [] : [[id, sample]],
        ),
      ),
  };
}

/** In the given order. */
async function toolRows(transaction: Kysely<ConfigurationTables>, owner: OwnerId, ids: readonly ToolId[]) {
  if (ids.length === 0) return [];
  const rows = await transaction
    .selectFrom("config.tools")
    .selectAll()
    .where("owner_id", "=", owner)
    .where("id", "in", ids)
    .execute();
  const place = new Map(ids.map((id, index) => [id, index]));
  return rows.toSorted((a, b) => (place.get(a.id) ?? 0) - (place.get(b.id) ?? 0));
}
