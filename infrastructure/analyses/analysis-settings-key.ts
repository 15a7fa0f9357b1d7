import { createHash } from "node:crypto";
import type { AnalysisSettings } from "../../application/ports/analyses.ts";
import { canonicalJson } from "../../domain/shared/canonical-json.ts";

/** The text that is stored, and its SHA-256 in hex. */
export function analysisSettingsKey(settings: AnalysisSettings) {
  const body = canonicalJson(settings);
  return { sha256: createHash("sha256").update(body).digest("hex"), body };
}
