import { loadavg } from "node:os";
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import { systemClock } from "../../infrastructure/clock.ts";
import { utteranceEar } from "../../infrastructure/speech/utterance-ear.ts";
import { dialOf, inMillis, LATEST } from "../../test/contracts/carrier/carrier-world.ts";
import { openCarrierOn } from "../../test/support/telephony/asterisk-carrier.ts";
import { startAsterisk } from "../../test/support/telephony/asterisk-server.ts";
import { wallMillis } from "../../test/support/telephony/callee/phone-line.ts";
import { watchPauses } from "../../test/support/telephony/pauses-sent.ts";
import { peers } from "../../test/support/telephony/peer-process.ts";
import type { CustomerFigures } from "../asterisk-customers.ts";
import type { Benchmark, Result } from "../benchmark.ts";
import { percentile } from "../load.ts";
import { processorSeconds } from "../processor-time.ts";
import { OURS, row } from "../rows.ts";
import { nextMessage, quickVoice, startFarEnd, talking } from "../talking-calls.ts";

const COUNT = Number(process.env["AUDIO_COUNT"] ?? 50);
const SECONDS = Number(process.env["AUDIO_SECONDS"] ?? 60);
/** Dial rate of a campaign. */
const DIALS_A_SECOND = 10;
const END_SILENCE_MILLIS = 500;
const LATE_MILLIS = 60;

/**
 * Live audio calls in one process through a real Asterisk to real telephones: dialled, greeted,
 * talked to, interrupted.
 */
export const benchmark: Benchmark = { name: "audio-asterisk", run: ({ log }) => measure(log) };

async function measure(log: (line: string) => void): Promise<Result> {
  peers();
  const customers = startFarEnd("asterisk-customers.ts");
  const port = Number(await nextMessage(customers));
  const asterisk = await startAsterisk([{ context: "ringfold-dial", name: "trunk", port }], COUNT * 4 + 40);
  let turns = 0;
  const open = await openCarrierOn(asterisk, {
    speech: { voice: quickVoice, ear: utteranceEar(async () => ({ text: "I see.", language: null })) },
    conversations: talking(() => {
      turns += 1;
    }),
  });
  await open.ready();
  log(`${COUNT} calls of ${SECONDS} s; load of the machine ${loadavg()[0]?.toFixed(1)}`);
  const pauses = watchPauses();
  const delay = monitorEventLoopDelay({ resolution: 5 });
  const used = process.cpuUsage();
  const usedByAsterisk = processorSeconds(asterisk.pid());
  const began = wallMillis();
  delay.enable();
  const replies = new Map<string, number>();
  for (let index = 0; index < COUNT; index += 1) {
    const call = dialOf(`+1500200${String(index).padStart(4, "0")}`, {
      maxDurationSeconds: 600,
      dialBy: inMillis(15_000),
    });
    void open.carrier.placeCall(call, LATEST).then(({ kind }) => {
      if (kind === "accepted") replies.set(call.to, wallMillis());
      else log(`${call.to}: ${kind}`);
    });
    await systemClock.sleep(1_000 / DIALS_A_SECOND);
  }
  await systemClock.sleep(SECONDS * 1_000);
  delay.disable();
  const cpu = process.cpuUsage(used);
  const asteriskSeconds = processorSeconds(asterisk.pid()) - usedByAsterisk;
  const seconds = (wallMillis() - began) / 1_000;
  customers.send("over");
  const heard = (await nextMessage(customers)) as CustomerFigures;
  await open.stop();
  await asterisk.close();
  // On average a call lives from the middle of the dialling on.
  const minutes = (COUNT * (seconds - COUNT / DIALS_A_SECOND / 2)) / 60;
  return resultOf(heard, {
    turns,
    pauses: pauses.at,
    ups: heard.up.flatMap(([number, at]) => {
      const reply = replies.get(number);
      return reply === undefined ? [] : [at - reply];
    }),
    loopMillis: delay.percentile(99) / 1e6,
    processorMillis: (cpu.user + cpu.system) / 1_000 / minutes,
    asteriskMillis: (asteriskSeconds * 1_000) / minutes,
  });
}

type Ours = {
  readonly turns: number;
  readonly pauses: readonly number[];
  /** From the reply to a dial until its telephone was up; negative: the telephone was first. */
  readonly ups: readonly number[];
  readonly loopMillis: number;
  readonly processorMillis: number;
  readonly asteriskMillis: number;
};

function resultOf(heard: CustomerFigures, ours: Ours): Result {
  const obeyed = heard.interruptions.flatMap(([spoke, silent]) => {
    const decided = ours.pauses.find((at) => at >= spoke);
    return decided === undefined || decided > silent + LATE_MILLIS ? [] : [silent - decided];
  });
  const silenced = heard.interruptions.map(([spoke, silent]) => silent - spoke);
  const answers = heard.answers.map((millis) => millis - END_SILENCE_MILLIS);
  const figure = (value: number) => ({ [OURS]: value });
  const p95 = (values: readonly number[]) => figure(percentile(values, 0.95));
  return {
    benchmark: "audio-asterisk",
    settings: {
      calls: COUNT,
      callsUp: heard.up.length,
      seconds: SECONDS,
      turns: ours.turns,
      answers: answers.length,
      interruptions: heard.interruptions.length,
      decisionsSeen: obeyed.length,
      frames: heard.gaps.length,
      lateFrames: heard.gaps.filter((gap) => gap > LATE_MILLIS).length,
      load: Number(loadavg()[0]?.toFixed(1)),
      words: "a scripted conversation, without a log; what was heard is of the telephones behind Asterisk",
    },
    rows: [
      row("event loop, p99", "ms", figure(ours.loopMillis), { atMost: 20 }),
      row(
        "latest frame at the telephone",
        "ms",
        figure(heard.gaps.reduce((most, gap) => Math.max(most, gap), 0)),
        { atMost: LATE_MILLIS },
      ),
      row("end of turn to first audio, p50", "ms", figure(percentile(answers, 0.5)), { atMost: 120 }),
      row("end of turn to first audio, p95", "ms", p95(answers)),
      row("customer's first sound to silence at the telephone, p95", "ms", p95(silenced), { atMost: 400 }),
      row("our decision to silence at the telephone, p95", "ms", p95(obeyed), { atMost: 60 }),
      row("reply to the dial to the telephone up, p95", "ms", p95(ours.ups), { atMost: 100 }),
      row("telephone up to first audio, p95", "ms", p95(heard.greetings), { atMost: 1_500 }),
      row("processor time of a call-minute", "ms", figure(ours.processorMillis)),
      row("processor time of a call-minute, of Asterisk", "ms", figure(ours.asteriskMillis)),
    ],
  };
}
