import type {
  Analyses,
  AnalysisClaim,
  AnalysisSettings,
  DueAnalysis,
  StoredAnalysisSettings,
} from "../../../application/ports/analyses.ts";
import type { AnalysisId } from "../../../domain/call/events.ts";
import type { OwnerId } from "../../../domain/shared/ids.ts";
import type { Instant } from "../../../domain/shared/instant.ts";
import { analysisSettingsKey } from "../../../infrastructure/analyses/analysis-settings-key.ts";

type Row = DueAnalysis & { readonly due: Instant };

/** The clock of analyses in memory, for tests and the simulation; it passes test/contracts/analyses too. */
export function createMemoryAnalyses(): Analyses {
  const rows = new Map<AnalysisId, Row>();
  const change = (id: AnalysisId, changes: Partial<Row>) => {
    const row = rows.get(id);
    if (row !== undefined) rows.set(id, { ...row, ...changes });
  };
  return {
    expect: async (analysis, at) => {
      const row = rows.get(analysis.analysisId);
      if (row === undefined) rows.set(analysis.analysisId, newRow(analysis, at, false));
      else if (!row.wished && at < row.due) change(analysis.analysisId, { due: at });
    },
    wished: async (analysis, at) => {
      if (rows.get(analysis.analysisId)?.wished !== true)
        rows.set(analysis.analysisId, { ...newRow(analysis, at, true), tries: analysis.tries });
    },
    claim: async (claim) => {
      const chosen = chooseDue([...rows.values()], claim);
      for (const { analysisId, tries } of chosen) change(analysisId, { due: claim.until, tries: tries + 1 });
      return chosen.map(({ due: _due, ...analysis }) => analysis);
    },
    giveBack: async ({ analysisId, tries }, at) => change(analysisId, { due: at, tries }),
    failed: async (analysisId, used, at) => change(analysisId, { due: at, used }),
    done: async (analysisId) => void rows.delete(analysisId),
    nextDue: async (except) => {
      const waiting = [...rows.values()].filter(({ owner, wished }) => !(wished && except.has(owner)));
      return waiting.toSorted(byDue)[0]?.due ?? null;
    },
  };
}

function newRow(
  { analysisId, callId, owner }: Pick<DueAnalysis, "analysisId" | "callId" | "owner">,
  due: Instant,
  wished: boolean,
): Row {
  return { analysisId, callId, owner, wished, due, tries: 0, used: null };
}

function chooseDue(rows: readonly Row[], { limit, now, underWay, except }: AnalysisClaim): readonly Row[] {
  const turns = new Map<OwnerId, number>(underWay);
  const due = rows.filter(({ due: at, owner, wished }) => at <= now && !(wished && except.has(owner)));
  const inTurn = due.toSorted(byDue).map((row) => {
    const turn = (turns.get(row.owner) ?? 0) + 1;
    turns.set(row.owner, turn);
    return { row, turn };
  });
  return inTurn
    .toSorted((a, b) => a.turn - b.turn || byDue(a.row, b.row))
    .slice(0, limit)
    .map(({ row }) => row);
}

function byDue(a: Row, b: Row): number {
  if (a.due !== b.due) return a.due < b.due ? -1 : 1;
  return a.analysisId < b.analysisId ? -1 : 1;
}

export function createMemoryAnalysisSettings(): StoredAnalysisSettings {
  const rows = new Map<string, string>();
  return {
    store: async (settings) => {
      const { sha256, body } = analysisSettingsKey(settings);
      rows.set(sha256, body);
      return sha256;
    },
    read: async (sha256) => {
      const body = rows.get(sha256);
      return body === undefined ? null : (JSON.parse(body) as AnalysisSettings);
    },
  };
}
