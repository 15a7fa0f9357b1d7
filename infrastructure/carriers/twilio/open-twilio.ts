import type { OpenCarrier } from "../../../application/ports/carrier.ts";
import type { OpenTwilioOptions } from "../open-carrier-options.ts";
import { createCallbackAddresses } from "./callback-addresses.ts";
import { callbackEntrances } from "./callback-entrances.ts";
import { checkTwilio } from "./check-twilio.ts";
import { createSignatures } from "./signatures.ts";
import { createTransport } from "./transport.ts";
import { openTwilioApi } from "./twilio-api.ts";
import { createTwilioCarrier } from "./twilio-carrier.ts";
import { twilioRelay } from "./twilio-relay.ts";

/**
 * Calls through Twilio: REST for the line, callbacks for events, ConversationRelay for the
 * conversation. Sends nothing yet.
 */
export async function openTwilio(options: OpenTwilioOptions): Promise<OpenCarrier> {
  const { settings, secret: authToken, publicUrl, clock } = options;
  const account = { ...settings, authToken };
  const transport = createTransport({ clock, egress: options.egress });
  const api = await openTwilioApi(account, transport);
  const addresses = createCallbackAddresses(publicUrl, authToken);
  const signatures = createSignatures({ ...options, authToken });
  const relay = twilioRelay({ ...options, signatures, addresses });
  return {
    carrier: createTwilioCarrier({ ...options, api, addresses }),
    sockets: [relay],
    requests: callbackEntrances({ ...options, signatures, addresses }),
    check: () => checkTwilio({ settings, publicUrl: publicUrl(), clock, api, transport }),
    leave: relay.leave,
    stop: transport.stop,
  };
}
