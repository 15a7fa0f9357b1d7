import { z } from "zod";
import { answer, list, pageFields } from "../../contract/fields.ts";
import type { LedgerEntry } from "../../domain/admission/grants.ts";
import { creditsToUnits, unitsToCredits } from "../../domain/shared/credits.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { parseId } from "../ids.ts";
import { listAnswer, pageRequest } from "../pagination.ts";
import { configurationWritten } from "../positions.ts";
import { account, accountBody, ledgerEntry, limits, topUpBody } from "./schemas.ts";
import { registerUsage } from "./usage-route.ts";

const TAGS = ["account"];
const ledger = { list: "ledger", parse: (text: string) => (/^[\w-]{1,64}$/.test(text) ? text : null) };
const scope = "account:read";

/** Plan, credits and limits (docs/api.md §2). */
export function registerAccount(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerChange(api, deps);
  registerTopUp(api, deps);
  registerLedger(api, deps);
  registerUsage(api, deps);
}

function registerReading(api: Api, deps: ApiDeps): void {
  api.get(
    "/api/v1/account",
    {
      schema: {
        operationId: "getAccount",
        summary: "Balance, reservations and plan",
        tags: TAGS,
        response: { 200: answer(account) },
      },
      config: { scope },
    },
    async (request) => data(await accountOf(deps, callerOf(request).owner)),
  );
  api.get(
    "/api/v1/limits",
    {
      schema: {
        operationId: "getLimits",
        summary: "What this owner may do at once",
        tags: TAGS,
        response: { 200: answer(limits) },
      },
      config: { scope },
    },
    async (request) => {
      const { owner } = callerOf(request);
      const { plan } = await ownerOf(deps, owner);
      const { liveCalls } = await deps.admission.account(owner);
      return data({
        maxConcurrentCalls: plan.maxConcurrentCalls,
        activeCalls: liveCalls,
        maxCallsPerSecond: plan.maxCallsPerSecond,
        requestsPerSecond: deps.settings.rateLimit.perSecond,
      });
    },
  );
}

function registerChange(api: Api, deps: ApiDeps): void {
  api.patch(
    "/api/v1/account",
    {
      schema: {
        operationId: "changeAccount",
        summary: "Changes for how long what is said on calls is kept",
        tags: TAGS,
        body: accountBody,
        response: { 200: answer(account) },
      },
      config: { scope: "admin" },
    },
    async (request, reply) => {
      const { owner } = callerOf(request);
      await deps.retention.change(owner, request.body.retention.contentDays);
      await configurationWritten(deps, reply);
      return data(await accountOf(deps, owner));
    },
  );
}

function registerTopUp(api: Api, deps: ApiDeps): void {
  api.post(
    "/api/v1/account/credits",
    {
      schema: {
        operationId: "topUp",
        summary: "Adds credits, once for each reference",
        tags: TAGS,
        body: topUpBody,
        response: { 200: answer(account) },
      },
      config: { scope: "operator", errors: ["USER_NOT_FOUND@400"] },
    },
    async (request, reply) => {
      const { amount, reference, userId } = request.body;
      const owner = userId === undefined ? callerOf(request).owner : parseId("usr", userId);
      if (owner === null || (await deps.directory.owner(owner)) === null) {
        throw new ApiError("USER_NOT_FOUND", "User not found", { status: 400 });
      }
      await deps.admission.topUp(owner, creditsToUnits(amount), reference);
      await configurationWritten(deps, reply);
      return data(await accountOf(deps, owner));
    },
  );
}

function registerLedger(api: Api, { configuration }: ApiDeps): void {
  api.get(
    "/api/v1/account/ledger",
    {
      schema: {
        operationId: "listLedger",
        summary: "Every movement of credits, newest first",
        tags: TAGS,
        querystring: z.object(pageFields),
        response: { 200: list(ledgerEntry) },
      },
      config: { scope },
    },
    async (request) => {
      const page = pageRequest(ledger, request.query);
      const { rows, next } = await configuration.ledger.list(callerOf(request).owner, page);
      return listAnswer(ledger, page, { rows: rows.map(inCredits), next });
    },
  );
}

async function accountOf(deps: ApiDeps, owner: OwnerId) {
  const { plan } = await ownerOf(deps, owner);
  const contentDays = await deps.retention.contentDays(owner);
  const { balance, reserved } = await deps.admission.account(owner);
  return {
    id: owner,
    balance: unitsToCredits(balance),
    reserved: unitsToCredits(reserved),
    available: unitsToCredits(balance - reserved),
    currency: "credits" as const,
    plan,
    retention: { contentDays },
  };
}

async function ownerOf({ directory }: ApiDeps, owner: OwnerId) {
  const found = await directory.owner(owner);
  if (found === null) throw new Error("The owner of a valid key is gone");
  return found;
}

function inCredits(entry: LedgerEntry) {
  return {
    ...entry,
    amount: unitsToCredits(entry.amount),
    balance: unitsToCredits(entry.balance),
    reserved: unitsToCredits(entry.reserved),
  };
}
