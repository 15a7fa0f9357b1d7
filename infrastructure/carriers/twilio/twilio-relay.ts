import type { SocketEntrance, UpgradeRequest } from "../../../application/ports/entrances.ts";
import { createRelayEntrance } from "../../voice/relay/relay-entrance.ts";
import type { OpenTwilioOptions } from "../open-carrier-options.ts";
import { type CallbackAddresses, callIdOf, RELAY_PATH } from "./callback-addresses.ts";
import { answeredEvent } from "./callback-events.ts";
import type { Signatures } from "./signatures.ts";

type TwilioRelayDeps = Pick<
  OpenTwilioOptions,
  "settings" | "clock" | "logger" | "metrics" | "sink" | "conversations" | "livenessOf" | "sessionsBegun"
> & { readonly signatures: Signatures; readonly addresses: CallbackAddresses };

/**
 * Where ConversationRelay opens the conversation: signed by Twilio, and with the token of the latest TwiML.
 */
export function twilioRelay(deps: TwilioRelayDeps): SocketEntrance {
  const { settings, clock, sink, sessionsBegun, signatures, addresses } = deps;
  const relay = createRelayEntrance({
    ...deps,
    path: RELAY_PATH,
    isFromCarrier: (_callId, request) => signatures.isSignedSocket(request),
    // A relay is opened for an answered call; its status may be reported later.
    onSetup: (callId, { callSid }) => sink(answeredEvent(callId, callSid, clock.now(), 0)),
    speedOf: ({ customParameters }) => {
      const speed = settings.baseUrl === null ? 1 : Number(customParameters?.["speed"] ?? 1);
      return speed >= 0.001 && speed <= 1_000_000 ? speed : 1;
    },
  });
  const isCurrent = async ({ params, query }: UpgradeRequest): Promise<boolean> => {
    const callId = callIdOf(params);
    if (callId === null) return false;
    return addresses.isRelayToken(callId, await sessionsBegun(callId), query["token"] ?? "");
  };
  return {
    ...relay,
    refuses: async (request) => {
      const refusal = await relay.refuses(request);
      if (refusal !== null || (await isCurrent(request))) return refusal;
      return { status: 403, message: "This address was used before" };
    },
  };
}
