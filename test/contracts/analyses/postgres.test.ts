import { createPostgresAnalyses } from "../../../infrastructure/analyses/postgres-analyses.ts";
import { createPostgresAnalysisSettings } from "../../../infrastructure/analyses/postgres-analysis-settings.ts";
import { migratedDatabase } from "../../support/database.ts";
import { analysesContract } from "./analyses-contract.ts";

analysesContract("analyses in PostgreSQL", async () => {
  const { pool, drop } = await migratedDatabase();
  return {
    analyses: createPostgresAnalyses(pool),
    again: createPostgresAnalyses(pool),
    settings: createPostgresAnalysisSettings(pool),
    settingsAgain: createPostgresAnalysisSettings(pool),
    end: drop,
  };
});
