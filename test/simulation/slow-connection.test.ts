import { expect, it } from "vitest";
import type { PlaceCallResult } from "../../application/ports/carrier.ts";
import type { Carriers } from "../../application/ports/carriers.ts";
import type { CampaignId, ConnectionId, PhoneNumberId } from "../../domain/shared/ids.ts";
import {
  CALLER,
  engineProcess,
  OWNER,
  openEvents,
  pass,
  QUIET_CARRIER,
  sharedStores,
  until,
} from "../application/engine-world.ts";
import { campaignRequest } from "../application/example-request.ts";
import { oneCarrier } from "../support/one-carrier.ts";

const SLOW: ConnectionId = "conn_slow";
/** More with CONTACTS=10000 in the environment of this file. */
const CONTACTS = Number(process.env["CONTACTS"] ?? 200);
const QUICK_CONTACTS = 300;
/** Which dials the slow carrier throttles. */
const THROTTLED = [60, 61, 62, 150];

const refusedForNow = { count: 0 };

type Dial = { readonly at: number; readonly process: string };

/**
 * Two workers, two campaigns through a connection of one call a second, and one through a fast one. The slow
 * carrier throttles dials that come too fast. One worker dies during the run.
 */
it(
  "loses nobody to a connection of one call a second, and holds the quick one beside it up for nothing",
  async () => {
    const stores = sharedStores({ planConcurrentCalls: 50, credits: 1_000 });
    const slow: Dial[] = [];
    const quick: Dial[] = [];
    const pn = (name: string): PhoneNumberId => `pn_${name}`;
    for (const [name, connectionId] of [["slow", SLOW] as const, ["quick", null] as const])
      stores.directory.setPhoneNumber(OWNER, pn(name), {
        phoneNumber: "+15005550000",
        active: true,
        connectionId,
      });
    const start = (processId: string) =>
      engineProcess(stores, { processId, carriers: carriersOf(stores, processId, slow, quick) });
    const [one, other] = [start("one"), start("other")];
    const create = async (id: CampaignId, count: number, phoneNumberId: PhoneNumberId) => {
      const engine = id === "cmp_2" ? other : one;
      const request = campaignRequest(count, { reservedCampaignId: id, maxRetries: 0, phoneNumberId });
      await until(stores, engine.useCases.createCampaign(CALLER, request));
      await until(stores, engine.useCases.startCampaign(CALLER, id));
    };
    await create("cmp_1", CONTACTS / 2, pn("slow"));
    await create("cmp_2", CONTACTS / 2, pn("slow"));
    const began = stores.clock.elapsed();
    await create("cmp_3", QUICK_CONTACTS, pn("quick"));
    await pass(stores, 60_000);
    // Ten calls a second are the plan's, of which the slow connection takes one.
    expect((quick.at(-1)?.at ?? 0) - began).toBeLessThan(40_000);
    expect(quick).toHaveLength(QUICK_CONTACTS);
    await pass(stores, (CONTACTS / 4) * 1_000 + 500);
    other.stop();
    await pass(stores, CONTACTS * 1_000 + 60_000);
    one.stop();

    const gaps = slow.slice(1).map(({ at }, index) => at - (slow[index]?.at ?? 0));
    // Whole milliseconds, each rounded up. Also for slots granted to the dead worker that
    // its successor dials.
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(999);
    expect(new Set(slow.map(({ process }) => process)).size).toBe(2);
    const ends = new Map<string, number>();
    for (const { type, data } of openEvents(stores)) {
      if (type !== "CallFailed" && type !== "CallCompleted") continue;
      const { endReason } = data as { readonly endReason: string };
      ends.set(endReason, (ends.get(endReason) ?? 0) + 1);
    }
    // What was refused by the carrier was not placed, and is called again.
    expect(Object.fromEntries(ends)).toEqual({
      invalid_number: CONTACTS + QUICK_CONTACTS,
      not_placed: refusedForNow.count,
    });
    expect(refusedForNow.count).toBe(THROTTLED.length);
    // Only the pauses that it asked for (1 and 2 s, then 1 s) and the time of a takeover are lost.
    const took = (slow.at(-1)?.at ?? 0) - (slow[0]?.at ?? 0);
    expect(took).toBeLessThan((CONTACTS + 60) * 1_000);
  },
  60_000 + CONTACTS * 60,
);

function carriersOf(
  { clock }: ReturnType<typeof sharedStores>,
  process: string,
  slow: Dial[],
  quick: Dial[],
): Carriers {
  const refused: PlaceCallResult = {
    kind: "rejected",
    endReason: "invalid_number",
    carrierCode: "404",
    message: "no",
    noAnswerAtAll: false,
  };
  const dialled = (dials: Dial[]) => async (): Promise<PlaceCallResult> => {
    const at = clock.elapsed();
    const tooFast = dials === slow && at - (slow.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < 999;
    dials.push({ at, process });
    if (tooFast || (dials === slow && THROTTLED.includes(slow.length))) {
      refusedForNow.count += 1;
      return { kind: "throttled", retryAfterMillis: 1_000 };
    }
    return refused;
  };
  const own = oneCarrier({ ...QUIET_CARRIER, placeCall: dialled(quick) });
  const through = oneCarrier({
    ...QUIET_CARRIER,
    can: { ...QUIET_CARRIER.can, callsPerSecond: 1 },
    placeCall: dialled(slow),
  });
  const of = (connectionId: ConnectionId | null) => (connectionId === SLOW ? through : own);
  return {
    ...own,
    routeKeyOf: (owner, connectionId) => of(connectionId).routeKeyOf(owner, connectionId),
    route: (owner, connectionId, to) => of(connectionId).route(owner, connectionId, to),
  };
}
