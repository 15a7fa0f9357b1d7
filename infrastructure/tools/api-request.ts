import { createHash } from "node:crypto";
import type { ToolRun } from "../../application/ports/tool-runner.ts";
import type { ToolTrial } from "../../application/ports/tool-tester.ts";
import type { SentRequest } from "../../contract/tool-test.ts";
import type { ToolEvidence } from "../../domain/call/conversation-events.ts";
import type { Fill } from "../../domain/tool/placeholders.ts";
import { apiRequestConfig } from "../../domain/tool/tool-config.ts";
import type { ExchangeLimits, GuardedRequest, GuardedResult } from "../http/guarded-exchange.ts";
import type { ConnectorDeps } from "../http/pinned-connector.ts";
import { sendOnce } from "../http/send-once.ts";
import { buildRequest, secretsIn } from "./build-request.ts";
import { type Redact, redaction } from "./redaction.ts";
import type { SecretValues } from "./secret-values.ts";
import { beginning, readableText } from "./shown-text.ts";
import { NO_EVIDENCE, refusedTrial, unanswered } from "./tool-trials.ts";

const READ_BYTES = 256 * 1024;

const LIMITS: Omit<ExchangeLimits, "totalMillis"> = {
  connectMillis: 5_000,
  answerHeaderBytes: 32 * 1024,
  answerReadBytes: READ_BYTES,
  answerKeptBytes: READ_BYTES,
  keepAliveMillis: 1_000,
};

/** A timer counts whole milliseconds of the loop's own time, and may fire so much before its moment. */
const TIMER_EARLY_MILLIS = 2;

export type ApiRequestDeps = {
  /** Its policy allows the ranges of `TOOL_ALLOW_CIDRS`. */
  readonly http: ConnectorDeps;
  readonly secrets: SecretValues;
};

/** Sends the request once, and gives up at `until` (monotonic clock). */
export async function runApiRequest(
  { http, secrets }: ApiRequestDeps,
  { owner, tool, toolCallId, signal }: ToolRun,
  fill: Fill,
  until: number,
): Promise<ToolTrial> {
  const config = apiRequestConfig(tool.config);
  if (config === null) return refusedTrial("The tool cannot be read");
  const values = await secrets(owner, secretsIn(config));
  const built = buildRequest(config, fill, values, toolCallId);
  if (!built.ok) return refusedTrial(built.reason);
  const redact = redaction(values.values());
  const { request } = built;
  const totalMillis = Math.max(1, until - performance.now());
  const result = await sendOnce(http, { ...LIMITS, totalMillis }, request, signal);
  return trialOf(result, request, sentRequest(request, built.body, redact), redact, {
    aborted: signal.aborted,
    late: performance.now() >= until - TIMER_EARLY_MILLIS,
  });
}

function sentRequest(
  { method, url, headers }: GuardedRequest,
  body: string | null,
  redact: Redact,
): SentRequest {
  return { method, url: redact(url), headers: redacted(headers, redact), body: body && redact(body) };
}

function trialOf(
  result: GuardedResult,
  { url }: GuardedRequest,
  request: SentRequest,
  redact: Redact,
  { aborted, late }: { readonly aborted: boolean; readonly late: boolean },
): ToolTrial {
  const millis = Math.round(result.times.total);
  const evidence: ToolEvidence = { ...NO_EVIDENCE, millis, host: new URL(url).hostname };
  if (result.kind === "blocked") return refusedTrial("The address is not allowed", request);
  const isWhole = result.kind === "answered" && (result.complete || result.body.length >= READ_BYTES);
  if (!isWhole) {
    const isLate = !aborted && (late || (result.kind === "failed" && result.reason.endsWith("timeout")));
    const lost = isLate
      ? unanswered("timed_out", "There was no whole answer in time", evidence)
      : unanswered("failed", aborted ? "It was broken off" : "The other side did not answer", evidence);
    return { result: lost, request, response: null };
  }
  const { status, headers, body } = result;
  const text = redact(readableText(body, textOf(headers["content-type"])));
  const proved = {
    ...evidence,
    status,
    bytes: body.length,
    sha256: createHash("sha256").update(body).digest("hex"),
  };
  const shown = beginning(`${status}\n${text}`);
  const texts = Object.entries(headers).map(([name, value]) => [name, textOf(value) ?? ""]);
  return {
    result: { outcome: "answered", shown, isError: status >= 400, evidence: proved },
    request,
    response: { status, headers: redacted(Object.fromEntries(texts), redact), body: text },
  };
}

function redacted(
  headers: Readonly<Record<string, string>>,
  redact: Redact,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, redact(value)]));
}

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "object" ? value.join(", ") : value;
}
