import { afterAll, beforeAll, expect, it } from "vitest";
import type { VoiceSession } from "../../../../application/ports/voice-session.ts";
import { utteranceEar } from "../../../../infrastructure/speech/utterance-ear.ts";
import { eventually } from "../../../../simulation/drills/eventually.ts";
import { dialOf, LATEST } from "../../../contracts/carrier/carrier-world.ts";
import { noise, speech } from "../../../support/speech/sounds.ts";
import { type OpenedCarrier, openCarrierOn } from "../../../support/telephony/asterisk-carrier.ts";
import { type AsteriskServer, startAsterisk } from "../../../support/telephony/asterisk-server.ts";
import { type Callees, startCallees } from "../../../support/telephony/callee/callees.ts";
import { A_LAW } from "../../../support/telephony/callee/line-codec.ts";
import { soundMillis } from "../../../support/telephony/callee/recording.ts";

let callees: Callees;
let asterisk: AsteriskServer;
let open: OpenedCarrier;
let session: VoiceSession | null = null;
const said: string[] = [];

beforeAll(async () => {
  callees = await startCallees(A_LAW);
  asterisk = await startAsterisk([
    { context: "ringfold-dial", name: "trunk", port: callees.port, codec: "alaw" },
  ]);
  open = await openCarrierOn(asterisk, {
    speech: {
      voice: {
        speak: async function* () {
          yield noise(1_000, -18);
        },
      },
      ear: utteranceEar(async () => ({ text: "Yes.", language: null })),
    },
    conversations: {
      arrive: async (arrived) => {
        session = arrived.session;
        const ignore = () => undefined;
        return {
          speechStarted: ignore,
          customerSaid: (text) => void said.push(text),
          heardWhole: ignore,
          cut: ignore,
          digit: ignore,
          silence: ignore,
          machineHeard: ignore,
          closed: ignore,
        };
      },
    },
  });
  await open.ready();
});

afterAll(async () => {
  await open.stop();
  await asterisk.close();
  await callees.close();
});

it("a trunk that takes A-law alone is called, hears us and is heard", async () => {
  const call = dialOf("+15002000001");
  await open.carrier.placeCall(call, LATEST);
  await eventually("the conversation", () => session !== null, 10_000);
  const callee = await eventually("the callee", () => callees.calls[0]);
  session?.say(1, "Hello.", true, { interruptible: true, voice: null, language: null });
  await eventually("a second of our voice", () => soundMillis(callee.line.heard) >= 900, 10_000);
  await callee.line.speak(speech(600, -18, 1));
  await eventually("the words of the callee", () => said.includes("Yes."), 10_000);
  expect(soundMillis(callee.line.heard)).toBeLessThanOrEqual(1_100);
});
