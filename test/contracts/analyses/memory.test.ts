import {
  createMemoryAnalyses,
  createMemoryAnalysisSettings,
} from "../../../simulation/memory/analyses/analyses.ts";
import { analysesContract } from "./analyses-contract.ts";

analysesContract("analyses in memory", async () => {
  const [analyses, settings] = [createMemoryAnalyses(), createMemoryAnalysisSettings()];
  return { analyses, again: analyses, settings, settingsAgain: settings, end: async () => undefined };
});
