import { webhookRoutes } from "../../contract/webhook.ts";
import { data } from "../answers.ts";
import type { Api } from "../api.ts";
import { callerOf } from "../caller.ts";
import { concurrencyOf } from "../concurrency.ts";
import type { ApiDeps } from "../deps.ts";
import { ApiError, validationError } from "../errors.ts";
import { configurationWritten } from "../positions.ts";
import { of } from "../route.ts";
import { URL_PROBLEMS } from "../url-problems.ts";
import { registerDeliveries } from "./delivery-routes.ts";
import { sampleEvent } from "./sample-event.ts";

const DEFAULT_OVERLAP_SECONDS = 86_400;

/** docs/api.md §7. */
export function registerWebhooks(api: Api, deps: ApiDeps): void {
  registerSettings(api, deps);
  registerSecrets(api, deps);
  registerTest(api, deps);
  registerDeliveries(api, deps);
}

function registerSettings(api: Api, deps: ApiDeps): void {
  api.route({
    ...of(webhookRoutes.getWebhook),
    handler: async (request) => data(await deps.webhooks.get(callerOf(request).owner)),
  });
  api.route({
    ...of(webhookRoutes.putWebhook),
    handler: async (request, reply) => {
      const { url, enabled, events = null } = request.body;
      const put = await deps.webhooks.put(callerOf(request).owner, { url, enabled, events });
      if (!put.saved)
        throw validationError("The request body", [{ path: ["url"], message: URL_PROBLEMS[put.reason] }]);
      await configurationWritten(deps, reply);
      const { endpoint } = put;
      return data({ url: endpoint.url, enabled: endpoint.enabled, events: endpoint.events });
    },
  });
}

function registerSecrets(api: Api, { webhooks }: ApiDeps): void {
  api.route({
    ...of(webhookRoutes.showWebhookSecret),
    handler: async (request) => data({ secret: await webhooks.secret(callerOf(request).owner) }),
  });
  api.route({
    ...of(webhookRoutes.rotateWebhookSecret),
    handler: async (request) => {
      const overlap = request.body?.overlapSeconds ?? DEFAULT_OVERLAP_SECONDS;
      return data(await webhooks.rotateSecret(callerOf(request).owner, overlap));
    },
  });
}

function registerTest(api: Api, { webhooks, ids, clock }: ApiDeps): void {
  const enter = concurrencyOf(4, "webhook tests of this owner");
  api.route({
    ...of(webhookRoutes.testWebhook),
    handler: async (request) => {
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
  });
}
