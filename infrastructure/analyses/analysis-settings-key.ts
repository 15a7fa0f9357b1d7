import { createHash } from "node:crypto";
import type { AnalysisSettings } from "../../application/ports/analyses.ts";
import { canonicalJson } from "../../domain/shared/canonical-json.ts";

type Key = { readonly sha256: string; readonly body: string };

/** The same settings are asked for after each call. */
const keys = new WeakMap<AnalysisSettings, Key>();

/** The text that is stored, and its SHA-256 in hex. */
export function analysisSettingsKey(settings: AnalysisSettings): Key {
  const known = keys.get(settings);
  if (known !== undefined) return known;
  const body = canonicalJson(settings);
  const key = { sha256: createHash("sha256").update(body).digest("hex"), body };
  keys.set(settings, key);
  return key;
}
