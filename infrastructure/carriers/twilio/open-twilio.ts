import type { OpenCarrier } from "../../../application/ports/carrier.ts";
import { createCallbackAddresses } from "./callback-addresses.ts";
import { callbackEntrances } from "./callback-entrances.ts";
import { checkTwilio } from "./check-twilio.ts";
import { createSignatures } from "./signatures.ts";
import { createTransport } from "./transport.ts";
import { openTwilioApi } from "./twilio-api.ts";
import { createTwilioCarrier } from "./twilio-carrier.ts";
import type { TwilioOptions } from "./twilio-options.ts";
import { twilioRelay } from "./twilio-relay.ts";

/** Calls through Twilio: REST for the line, its callbacks for what happens, ConversationRelay for the words. Asks nothing yet. */
export async function openTwilio(options: TwilioOptions): Promise<OpenCarrier> {
  const { settings, clock } = options;
  const publicUrl = options.publicUrl.replace(/\/+$/, "");
  const transport = createTransport({ clock, dispatcher: options.dispatcher ?? null });
  const api = await openTwilioApi(settings, transport);
  const addresses = createCallbackAddresses(publicUrl, settings.authToken);
  const signatures = createSignatures({ ...options, publicUrl, authToken: settings.authToken });
  const relay = twilioRelay({ ...options, signatures, addresses });
  return {
    carrier: createTwilioCarrier({ settings, publicUrl, clock, api, addresses }),
    sockets: [relay],
    requests: callbackEntrances({ ...options, signatures, addresses }),
    check: () => checkTwilio({ settings, publicUrl, clock, api, transport }),
    leave: relay.leave,
    stop: transport.stop,
  };
}
