import type { Eligibility } from "../../application/ports/eligibility.ts";
import {
  type EligibilityAnswer,
  readEligibilityAnswer,
  unavailable,
} from "../../domain/policy/eligibility-answer.ts";
import { instantFromMillis } from "../../domain/shared/instant.ts";
import { type AddressPolicy, judgeUrlAndName, type ResolveName } from "../http/address-guard.ts";
import type { ExchangeLimits, GuardedResult } from "../http/guarded-exchange.ts";
import type { GuardedHttpClient } from "../http/guarded-http-client.ts";
import { answerText, signedRequest } from "./delivery/attempt.ts";
import { type EndpointSettingsDeps, readSecrets } from "./settings/postgres-endpoint-settings.ts";

const ANSWER_BYTES = 16 * 1024;

/** The whole answer is read; a question has the time of its check, at most 5 s. */
export const ELIGIBILITY_LIMITS: ExchangeLimits = {
  connectMillis: 5_000,
  totalMillis: 5_000,
  answerHeaderBytes: 16 * 1024,
  answerReadBytes: ANSWER_BYTES,
  answerKeptBytes: ANSWER_BYTES,
  keepAliveMillis: 10_000,
};

export type HttpEligibilityDeps = EndpointSettingsDeps & {
  /** With `ELIGIBILITY_LIMITS`. */
  readonly client: Pick<GuardedHttpClient, "send">;
  readonly policy: AddressPolicy;
  readonly resolve: ResolveName;
};

/**
 * Asks by a POST that is signed as webhooks are. Only a 200 counts, redirects are not followed, and nothing
 * of a question is logged.
 */
export function httpEligibility(deps: HttpEligibilityDeps): Eligibility {
  const { client, policy, resolve, clock } = deps;
  return {
    ask: async (owner, { url, timeoutMs }, question) => {
      const body = JSON.stringify({ event: "call.eligibility", data: question });
      const secrets = await readSecrets(deps, owner).catch(() => null);
      if (secrets === null)
        return { sent: body, answer: unavailable("secret_unreadable"), millis: 0, status: null, text: null };
      const { eventId } = question;
      const attempt = { url, secrets, eventId, deliveryId: eventId, number: 1, body };
      const { request } = signedRequest(attempt, clock.nowMillis());
      const end = await client.send({ ...request, totalMillis: timeoutMs });
      const answered = end.kind === "answered" ? end : null;
      return {
        sent: body,
        answer: answerOf(end, clock.nowMillis()),
        millis: end.times.total,
        status: answered?.status ?? null,
        text: answered === null ? null : answerText(answered.body),
      };
    },
    judgeUrl: async (url) => {
      const verdict = await judgeUrlAndName(policy, resolve, url);
      return verdict.allowed ? { url: verdict.url.href } : { refused: verdict.reason };
    },
  };
}

function answerOf(end: GuardedResult, nowMillis: number): EligibilityAnswer {
  if (end.kind === "blocked") return unavailable(end.reason);
  if (end.kind === "failed") return unavailable(end.reason.endsWith("_timeout") ? "timeout" : end.reason);
  if (end.status >= 300 && end.status < 400) return unavailable("redirect");
  if (end.status !== 200) return unavailable(`status_${end.status}`);
  if (!end.complete) return unavailable(end.body.length >= ANSWER_BYTES ? "too_long" : "cut_off");
  return readEligibilityAnswer(end.body.toString("utf8"), instantFromMillis(nowMillis));
}
