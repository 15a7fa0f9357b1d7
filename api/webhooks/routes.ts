import { answer, noBody } from "../../contract/fields.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { concurrencyOf } from "../concurrency.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, validationError } from "../errors.ts";
import { configurationWritten } from "../positions.ts";
import { URL_PROBLEMS } from "../url-problems.ts";
import { registerDeliveries } from "./delivery-routes.ts";
import { sampleEvent } from "./sample-event.ts";
import {
  rotatedSecret,
  rotateSecretBody,
  testAnswer,
  testBody,
  webhook,
  webhookBody,
  webhookSecret,
  webhookSettings,
} from "./schemas.ts";

const TAGS = ["webhooks"];
const scope = "webhooks:*";
const DEFAULT_OVERLAP_SECONDS = 86_400;

/** docs/api.md §7. */
export function registerWebhooks(api: Api, deps: ApiDeps): void {
  registerSettings(api, deps);
  registerSecrets(api, deps);
  registerTest(api, deps);
  registerDeliveries(api, deps);
}

function registerSettings(api: Api, deps: ApiDeps): void {
  api.get(
    "/api/v1/webhook",
    {
      schema: {
        operationId: "getWebhook",
        summary: "Where webhooks go and how they fare; null when nothing was ever set",
        tags: TAGS,
        response: { 200: answer(webhook.nullable()) },
      },
      config: { scope },
    },
    async (request) => data(await deps.webhooks.get(callerOf(request).owner)),
  );
  api.put(
    "/api/v1/webhook",
    {
      schema: {
        operationId: "putWebhook",
        summary: "Sets where webhooks go",
        tags: TAGS,
        body: webhookBody,
        response: { 200: answer(webhookSettings) },
      },
      config: { scope },
    },
    async (request, reply) => {
      const { url, enabled, events = null } = request.body;
      const put = await deps.webhooks.put(callerOf(request).owner, { url, enabled, events });
      if (!put.saved)
        throw validationError("The request body", [{ path: ["url"], message: URL_PROBLEMS[put.reason] }]);
      await configurationWritten(deps, reply);
      const { endpoint } = put;
      return data({ url: endpoint.url, enabled: endpoint.enabled, events: endpoint.events });
    },
  );
}

function registerSecrets(api: Api, { webhooks }: ApiDeps): void {
  api.post(
    "/api/v1/webhook/secret",
    {
      schema: {
        operationId: "showWebhookSecret",
        summary: "Shows the secret; makes it when there is none",
        tags: TAGS,
        body: noBody,
        response: { 200: answer(webhookSecret) },
      },
      config: { scope },
    },
    async (request) => data({ secret: await webhooks.secret(callerOf(request).owner) }),
  );
  api.post(
    "/api/v1/webhook/rotate-secret",
    {
      schema: {
        operationId: "rotateWebhookSecret",
        summary: "Makes a new secret; the old one signs as well for a while",
        tags: TAGS,
        body: rotateSecretBody,
        response: { 200: answer(rotatedSecret) },
      },
      config: { scope },
    },
    async (request) => {
      const overlap = request.body?.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
      return data(await webhooks.rotateSecret(callerOf(request).owner, overlap));
    },
  );
}

function registerTest(api: Api, { webhooks, ids, clock }: ApiDeps): void {
  const enter = concurrencyOf(4, "webhook tests of this owner");
  api.post(
    "/api/v1/webhook/test",
    {
      schema: {
        operationId: "testWebhook",
        summary: "Sends a signed sample now",
        tags: TAGS,
        body: testBody,
        response: { 200: answer(testAnswer) },
      },
      config: { scope, errors: ["WEBHOOK_NOT_CONFIGURED", "CONCURRENCY_LIMIT_REACHED"] },
    },
    async (request) => {
      const { owner } = callerOf(request);
      const leave = enter(owner);
      try {
        const sent = await webhooks.sendTest(owner, sampleEvent(ids, clock.now(), request.body.event));
        if (sent === null) throw new ApiError("WEBHOOK_NOT_CONFIGURED", "Set a webhook URL first");
        return data(sent);
      } finally {
        leave();
      }
    },
  );
}
