import { DEFAULT_MODEL_CONNECTION } from "../../application/ports/configuration/connections.ts";
import { accountRoutes } from "../../contract/account.ts";
import type { LedgerEntry } from "../../domain/admission/grants.ts";
import { SCRIPTED_MODEL } from "../../domain/conversation/script.ts";
import { creditsToUnits, unitsToCredits } from "../../domain/shared/credits.ts";
import type { OwnerId } from "../../domain/shared/ids.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError } from "../errors.ts";
import { parseId } from "../ids.ts";
import { configurationWritten } from "../positions.ts";
import { listed } from "../records.ts";
import { of } from "../route.ts";
import { registerUsage } from "./usage-route.ts";

const ledger = { list: "ledger", parse: (text: string) => (/^[\w-]{1,64}$/.test(text) ? text : null) };

/** Plan, credits and limits (docs/api.md §2). */
export function registerAccount(api: Api, deps: ApiDeps): void {
  registerReading(api, deps);
  registerChange(api, deps);
  registerTopUp(api, deps);
  registerLedger(api, deps);
  registerUsage(api, deps);
}

function registerReading(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(accountRoutes.getAccount),
    handler: async (request) => data(await accountOf(deps, callerOf(request).owner)),
  });
  api.route({
    ...of(accountRoutes.getLimits),
    handler: async (request) => {
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
  });
}

function registerChange(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(accountRoutes.changeAccount),
    handler: async (request, reply) => {
      const { owner } = callerOf(request);
      await deps.retention.change(owner, request.body.retention.contentDays);
      await configurationWritten(deps, reply);
      return data(await accountOf(deps, owner));
    },
  });
}

function registerTopUp(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(accountRoutes.topUp),
    handler: async (request, reply) => {
      const { amount, reference, userId } = request.body;
      const owner = userId === undefined ? callerOf(request).owner : parseId("usr", userId);
      if (owner === null || (await deps.directory.owner(owner)) === null) {
        throw new ApiError("USER_NOT_FOUND", "User not found", { status: 400 });
      }
      await deps.admission.topUp(owner, creditsToUnits(amount), reference);
      await configurationWritten(deps, reply);
      return data(await accountOf(deps, owner));
    },
  });
}

function registerLedger(api: Api, { configuration }: ApiDeps): void {
  api.route({
    ...of(accountRoutes.listLedger),
    handler: (request) =>
      listed(ledger, request.query, async (page) => {
        const { rows, next } = await configuration.ledger.list(callerOf(request).owner, page);
        return { rows: rows.map(inCredits), next };
      }),
  });
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
    defaultModel: await defaultModelOf(deps, owner),
    retention: { contentDays },
  };
}

/** The name of what speaks where an assistant has no connection of its own. */
async function defaultModelOf({ configuration }: ApiDeps, owner: OwnerId): Promise<string> {
  const own = await configuration.connections.get(owner, DEFAULT_MODEL_CONNECTION);
  return own !== null && "defaultModel" in own.settings ? own.settings.defaultModel : SCRIPTED_MODEL;
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
