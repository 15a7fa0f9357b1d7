import type { CarrierEvent } from "../../../application/ports/carrier.ts";
import { startReplyProxy } from "../../support/carriers/reply-proxy.ts";
import { openCarrierOn } from "../../support/telephony/asterisk-carrier.ts";
import { startAsterisk } from "../../support/telephony/asterisk-server.ts";
import { numberAnswering, startSipp } from "../../support/telephony/sipp-trunk.ts";
import type { Callee, CarrierWorld, Refusal } from "./carrier-world.ts";

const CALLEES: Readonly<Record<Callee, number>> = { talks: 200, rings: 180, hangs_up: 201 };
const REFUSALS: Readonly<Record<Refusal, number>> = {
  busy: 486,
  declined: 603,
  no_answer: 480,
  invalid_number: 404,
  permission_denied: 403,
  unreachable: 408,
  carrier_error: 503,
};

/** A real Asterisk, sipp as its trunk, and a proxy between Asterisk and us. */
export async function asteriskWorld(): Promise<CarrierWorld> {
  const sipp = await startSipp();
  const asterisk = await startAsterisk([{ context: "ringfold-dial", name: "trunk", port: sipp.port }]);
  const proxy = await startReplyProxy(asterisk.httpPort);
  const events: CarrierEvent[] = [];
  let refusals = 0;
  const open = async () => {
    const opened = await openCarrierOn(asterisk, {
      port: proxy.port,
      sink: async (event) => {
        refusals -= 1;
        if (refusals >= 0) throw new Error("not now");
        events.push(event);
      },
    });
    await opened.ready();
    return opened;
  };
  let opened = await open();
  const DIAL = ["POST /ari/channels?"];
  return {
    carrier: () => opened.carrier,
    events,
    refuseEvents: (count) => {
      refusals = count;
    },
    numberOf: (callee) => numberAnswering(CALLEES[callee]),
    refusedNumber: (refusal) => numberAnswering(REFUSALS[refusal]),
    meets: (fault) => {
      if (fault === "lost_reply") proxy.loseReply(DIAL);
      if (fault === "slow_reply") proxy.delayReply(DIAL, 1_000);
    },
    rings: async ({ to }) => sipp.invites(to),
    restart: async () => {
      await opened.die();
      opened = await open();
    },
    close: async () => {
      await opened.stop();
      await proxy.close();
      await asterisk.close();
      await sipp.close();
    },
  };
}
