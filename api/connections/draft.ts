import type { ConnectionDraft } from "../../application/ports/configuration/connections.ts";
import type { ConnectionBody } from "../../contract/connection.ts";

const TWILIO_CALLS_PER_SECOND = 1;
const ASTERISK_CONTEXT = "ringfold-dial";

/** A new connection with the defaults of absent fields. Addresses are stored as they will be called. */
export function draftOf(body: ConnectionBody): ConnectionDraft {
  switch (body.kind) {
    case "postgres":
      return body;
    case "model":
      return { ...body, settings: { ...body.settings, baseUrl: plainUrl(body.settings.baseUrl) } };
    case "twilio": {
      const { accountSid, callsPerSecond = TWILIO_CALLS_PER_SECOND, baseUrl } = body.settings;
      const standIn = typeof baseUrl === "string" ? plainUrl(baseUrl) : null;
      return { ...body, settings: { accountSid, callsPerSecond, baseUrl: standIn } };
    }
    case "asterisk": {
      const { url, user, context = ASTERISK_CONTEXT, callsPerSecond, maxConcurrentCalls } = body.settings;
      const limits = {
        callsPerSecond: callsPerSecond ?? null,
        maxConcurrentCalls: maxConcurrentCalls ?? null,
      };
      return { ...body, settings: { url: plainUrl(url), user, context, ...limits } };
    }
  }
}

export function plainUrl(text: string): string {
  return new URL(text).href.replace(/\/+$/, "");
}
