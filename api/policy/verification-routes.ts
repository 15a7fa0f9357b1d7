import { Readable } from "node:stream";
import type { FoundViolation, Verification } from "../../application/ports/verifications.ts";
import type { VerificationRecord } from "../../contract/verification.ts";
import { verificationRoutes as routes } from "../../contract/verification.ts";
import { inFull } from "../../domain/policy/policy.ts";
import type { OwnerId, VerificationId } from "../../domain/shared/ids.ts";
import { inPieces } from "../answer-room.ts";
import { asFile, data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { textCell } from "../campaigns/formula-guard.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { found, parseId, pathId } from "../ids.ts";
import { listed } from "../records.ts";
import { of } from "../route.ts";
import { policyOf } from "./routes.ts";

const verifications = { list: "verifications", parse: (text: string) => parseId("pvf", text) };
const SHOWN_VIOLATIONS = 1_000;
const EXPORTED_AT_ONCE = 500;

/** docs/api.md §22, Held against the past. */
export function registerVerifications(api: Api, deps: ApiDeps): void {
  registerBeginning(api, deps);
  api.route({
    ...of(routes.listVerifications),
    handler: (request) =>
      listed(verifications, request.query, async (page) => {
        const { rows, next } = await deps.verifications.list(callerOf(request).owner, page);
        return { rows: rows.map(summaryOf), next };
      }),
  });
  api.route({
    ...of(routes.getVerification),
    handler: async (request) => {
      const { owner } = callerOf(request);
      const id = pathId("pvf", request.params.id);
      const verification = found("pvf", await deps.verifications.find(owner, id));
      return data(await recordOf(deps, owner, verification));
    },
  });
  registerExport(api, deps);
}

function registerBeginning(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.verifyPolicy),
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const { policy, from = null, until = null } = request.body;
      const begun = await deps.beginVerification(caller, {
        id: deps.ids.next("pvf"),
        policy: typeof policy === "string" ? policy : policyOf(policy),
        from,
        until,
      });
      if (begun === null)
        throw new ApiError(
          "CONCURRENCY_LIMIT_REACHED",
          "Two verifications are under way; begin another one when one of them is done",
        );
      reply.status(202);
      return data(await recordOf(deps, caller.owner, begun));
    },
  });
}

function summaryOf(verification: Verification) {
  const { id, status, progress, asked, judgedBy, version, from, until, dials } = verification;
  const { result, problem, createdAt, completedAt } = verification;
  return {
    ...{ id, status, progress, version, from, until, dials, problem, createdAt, completedAt },
    policy: asked === "given" && judgedBy !== null ? inFull(judgedBy) : inWords(asked),
    unverifiable: result?.unverifiable ?? [],
    violations: { count: result?.count ?? 0, byRule: result?.byRule ?? {} },
  };
}

function inWords(asked: Verification["asked"]): "in_force" | "current" {
  return asked === "current" ? "current" : "in_force";
}

async function recordOf(
  deps: ApiDeps,
  owner: OwnerId,
  verification: Verification,
): Promise<VerificationRecord> {
  const { violations, ...record } = summaryOf(verification);
  const page = { limit: SHOWN_VIOLATIONS, after: null };
  const { rows } = await deps.verifications.violations(owner, verification.id, page);
  return { ...record, violations: { ...violations, items: rows } };
}

function registerExport(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(routes.exportViolations),
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      const id = pathId("pvf", request.params.id);
      found("pvf", await deps.verifications.find(owner, id));
      asFile(reply).type("text/csv; charset=utf-8");
      reply.header("Content-Disposition", `attachment; filename="${id}-violations.csv"`);
      const pieces = inPieces(api.answerRoom, request, violationsCsv(deps, owner, id));
      return reply.send(Readable.from(pieces, { objectMode: false }));
    },
  });
}

const COLUMNS = "rule,at,campaignId,contactId,callId,phoneNumber,value,limit,stream,revision,eventAt";

/** Page by page as the reader takes them. */
async function* violationsCsv(
  deps: Pick<ApiDeps, "verifications">,
  owner: OwnerId,
  id: VerificationId,
): AsyncGenerator<string, void> {
  yield `${COLUMNS}\n`;
  for (let after: number | null = null, isOver = false; !isOver; ) {
    const page = await deps.verifications.violations(owner, id, { limit: EXPORTED_AT_ONCE, after });
    if (page.rows.length > 0) yield page.rows.map((row) => `${cellsOf(row).join(",")}\n`).join("");
    after = page.next;
    isOver = after === null;
  }
}

function cellsOf({
  rule,
  at,
  campaignId,
  contactId,
  callId,
  phoneNumber,
  value,
  limit,
  event,
}: FoundViolation) {
  const fact = (each: string | number | null) => (typeof each === "string" ? textCell(each) : (each ?? ""));
  return [
    ...[rule, at, campaignId ?? "", contactId ?? "", callId, phoneNumber ?? ""],
    ...[fact(value), fact(limit), event.stream, event.revision, event.at],
  ];
}
