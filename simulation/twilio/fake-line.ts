import { between } from "../callee/seeded-random.ts";
import { simulatedRecording } from "../carrier/recording.ts";
import { type CallStatus, type FakeCall, isLive, rfc2822, secondsOf } from "./fake-call.ts";
import type { Callbacks, Parameters } from "./fake-callbacks.ts";
import { type FakeRelayDeps, type RelayEnd, talkOverRelay } from "./fake-relay.ts";

export type FakeLineDeps = Omit<FakeRelayDeps, "onBeep"> & {
  readonly callbacks: Callbacks;
  readonly stop: AbortSignal;
  readonly sidOf: (prefix: string) => string;
  readonly onTransfer: (call: FakeCall, to: string) => void;
};

/** Line time. */
const VERDICT_MILLIS = 3_000;
const RECORDING_MILLIS = 1_000;
const TRANSFERRED_TALK_MILLIS = 20_000;

/** Runs a call from the ring on. Resolves at its end. */
export async function playCall(deps: FakeLineDeps, call: FakeCall): Promise<void> {
  if (!isLive(call)) return;
  const { clock } = deps;
  call.startedAt = clock.nowMillis();
  become(deps, call, "initiated");
  await pause(deps, call, between(deps.random, 200, 800));
  if (!isLive(call)) return;
  become(deps, call, "ringing");
  const refusal = REFUSALS[call.outcome];
  if (refusal !== undefined) return refuse(deps, call, refusal);
  if (call.outcome === "no_answer" || call.outcome === "rings_for_ever") return ringOut(deps, call);
  await pause(deps, call, between(deps.random, 2_000, 9_000));
  if (isLive(call)) await answer(deps, call);
}

type Ending = { readonly status: CallStatus; readonly sipCode: string };
const REFUSALS: Partial<Readonly<Record<FakeCall["outcome"], Ending>>> = {
  busy: { status: "busy", sipCode: "486" },
  declined: { status: "no-answer", sipCode: "603" },
  unreachable: { status: "failed", sipCode: "408" },
  carrier_error: { status: "failed", sipCode: "503" },
};

async function refuse(deps: FakeLineDeps, call: FakeCall, { status, sipCode }: Ending): Promise<void> {
  await pause(deps, call, between(deps.random, 500, 5_000));
  if (!isLive(call)) return;
  call.sipCode = sipCode;
  end(deps, call, status);
}

/** As long as the dial says; line speed does not shorten it below what a telephone would ring. */
async function ringOut(deps: FakeLineDeps, call: FakeCall): Promise<void> {
  const seconds = Number(call.form.get("Timeout") ?? 60);
  const patience =
    call.outcome === "no_answer" ? between(deps.random, 18_000, 30_000) : Number.POSITIVE_INFINITY;
  await pause(deps, call, Math.min(seconds * 1_000 * deps.speed, patience));
  if (!isLive(call)) return;
  call.sipCode = "487";
  end(deps, call, "no-answer");
}

async function answer(deps: FakeLineDeps, call: FakeCall): Promise<void> {
  call.answeredAt = deps.clock.nowMillis();
  become(deps, call, "in-progress");
  if (call.outcome === "hangs_up") return end(deps, call, "completed");
  judgeMachine(deps, call);
  void limitTime(deps, call);
  if (call.outcome === "line_drops")
    void pause(deps, call, between(deps.random, 1_000, 5_000)).then(() => end(deps, call, "completed"));
  const given = call.form.get("Twiml");
  let verb = given === null ? null : parseTwiml(given);
  while (verb !== null && isLive(call)) verb = await perform(deps, call, verb);
  end(deps, call, "completed");
}

/** Returns what comes after the verb; null: nothing. */
async function perform(deps: FakeLineDeps, call: FakeCall, verb: Verb): Promise<Verb | null> {
  if (verb.verb === "hangup") return null;
  if (verb.verb === "dial") {
    deps.onTransfer(call, verb.number);
    await pause(deps, call, TRANSFERRED_TALK_MILLIS);
    return null;
  }
  const began = deps.clock.nowMillis();
  const relayEnd = await talkOverRelay(
    { ...deps, onBeep: () => greetingOver(deps, call) },
    call,
    verb.relayUrl,
  );
  const isOver = relayEnd.kind === "hung_up" || !isLive(call);
  if (verb.action === null || deps.stop.aborted) return null;
  const parameters = actionParameters(call, relayEnd, isOver, deps.clock.nowMillis() - began);
  const twiml = await deps.callbacks.ask(call, verb.action, parameters);
  return isOver || twiml === null ? null : parseTwiml(twiml);
}

function actionParameters(call: FakeCall, end: RelayEnd, isOver: boolean, millis: number): Parameters {
  const common = {
    ...numbersOf(call),
    CallStatus: isOver ? "completed" : "in-progress",
    SessionId: `VX${call.sid.slice(2)}`,
    SessionDuration: String(Math.round(millis / 1_000)),
  };
  if (end.kind === "hung_up") return { ...common, SessionStatus: "completed" };
  if (end.kind === "failed") return { ...common, SessionStatus: "failed", ErrorCode: end.errorCode };
  const handoff = end.handoffData === null ? {} : { HandoffData: end.handoffData };
  return { ...common, SessionStatus: "ended", ...handoff };
}

/** The caller has ended it through the API. False: it had ended. */
export function hangUp(deps: FakeLineDeps, call: FakeCall): boolean {
  if (!isLive(call)) return false;
  end(deps, call, call.answeredAt === null ? "canceled" : "completed");
  return true;
}

function end(deps: FakeLineDeps, call: FakeCall, status: CallStatus): void {
  if (!isLive(call)) return;
  call.endedAt = deps.clock.nowMillis();
  if (call.answeredAt !== null) {
    const minutes = String(Math.ceil(secondsOf(call) / 60));
    become(deps, call, status, {
      CallDuration: String(secondsOf(call)),
      Duration: minutes,
      SipResponseCode: "200",
    });
    void record(deps, call);
  } else become(deps, call, status, call.sipCode === null ? {} : { SipResponseCode: call.sipCode });
  call.over.abort();
}

const EVENT_OF: Partial<Readonly<Record<CallStatus, string>>> = {
  initiated: "initiated",
  ringing: "ringing",
  "in-progress": "answered",
};

function become(deps: FakeLineDeps, call: FakeCall, status: CallStatus, more: Parameters = {}): void {
  call.status = status;
  const address = call.form.get("StatusCallback");
  const wanted = call.form.getAll("StatusCallbackEvent");
  const event = EVENT_OF[status] ?? "completed";
  if (address === null || !(wanted.length === 0 ? event === "completed" : wanted.includes(event))) return;
  deps.callbacks.tell(call, address, {
    ...numbersOf(call),
    CallStatus: status,
    Timestamp: rfc2822(deps.clock.nowMillis()),
    CallbackSource: "call-progress-events",
    SequenceNumber: String(call.sequence),
    ...(call.answeredBy === null ? {} : { AnsweredBy: call.answeredBy }),
    ...more,
  });
  call.sequence += 1;
}

function numbersOf(call: FakeCall): Parameters {
  const [from, to] = [call.form.get("From") ?? "", call.form.get("To") ?? ""];
  return {
    From: from,
    To: to,
    Caller: from,
    Called: to,
    Direction: "outbound-api",
    ApiVersion: "2010-04-01",
  };
}

/** Runs beside the talk: detects who answered. For a machine whose greeting is awaited, when that is over. */
function judgeMachine(deps: FakeLineDeps, call: FakeCall): void {
  const detection = call.form.get("MachineDetection");
  if (detection === null) return;
  const isMachine = call.outcome === "machine";
  if (isMachine && detection === "DetectMessageEnd") return;
  void pause(deps, call, VERDICT_MILLIS).then(() => {
    if (isLive(call)) verdict(deps, call, isMachine ? "machine_start" : "human");
  });
}

function greetingOver(deps: FakeLineDeps, call: FakeCall): void {
  if (call.form.get("MachineDetection") === "DetectMessageEnd" && isLive(call))
    verdict(deps, call, "machine_end_beep");
}

function verdict(deps: FakeLineDeps, call: FakeCall, answeredBy: string): void {
  call.answeredBy = answeredBy;
  const address = call.form.get("AsyncAmdStatusCallback");
  if (address !== null && call.form.get("AsyncAmd") === "true")
    deps.callbacks.tell(call, address, {
      AnsweredBy: answeredBy,
      MachineDetectionDuration: String(VERDICT_MILLIS),
    });
}

async function limitTime(deps: FakeLineDeps, call: FakeCall): Promise<void> {
  const seconds = Number(call.form.get("TimeLimit") ?? 14_400);
  await deps.clock.sleep(seconds * 1_000, AbortSignal.any([deps.stop, call.over.signal]));
  if (isLive(call) && !deps.stop.aborted) end(deps, call, "completed");
}

async function record(deps: FakeLineDeps, call: FakeCall): Promise<void> {
  if (call.form.get("Record") !== "true") return;
  const sid = deps.sidOf("RE");
  call.recording = { sid, bytes: null, seconds: secondsOf(call) };
  await deps.clock.sleep(RECORDING_MILLIS / deps.speed, deps.stop);
  if (deps.stop.aborted) return;
  const lines = Array.from({ length: call.linesSaid + 1 }, (_, index) => ({
    role: index % 2 === 0 ? "assistant" : "customer",
  }));
  if (call.recording === null) return;
  call.recording.bytes = simulatedRecording(lines);
  const address = call.form.get("RecordingStatusCallback");
  if (address === null || deps.faults.strikes("recordingLost")) return;
  deps.callbacks.tell(call, address, {
    RecordingSid: sid,
    RecordingStatus: "completed",
    RecordingDuration: String(secondsOf(call)),
    RecordingChannels: "1",
    RecordingSource: "OutboundAPI",
  });
}

async function pause(deps: FakeLineDeps, call: FakeCall, lineMillis: number): Promise<void> {
  await deps.clock.sleep(
    Math.min(lineMillis / deps.speed, 2 ** 31 - 1),
    AbortSignal.any([deps.stop, call.over.signal]),
  );
}

/** The TwiML verbs that the fake understands: those of this service. */
type Verb =
  | {
      readonly verb: "connect";
      readonly relayUrl: string;
      readonly action: string | null;
    }
  | { readonly verb: "dial"; readonly number: string; readonly callerId: string | null }
  | { readonly verb: "hangup" };

/** null: nothing that could be executed. */
function parseTwiml(text: string): Verb | null {
  if (/<Hangup\s*\/>/.test(text)) return { verb: "hangup" };
  const dial = /<Dial([^>]*)>\s*<Number[^>]*>([^<]*)<\/Number>/.exec(text);
  if (dial !== null)
    return { verb: "dial", number: plain(dial[2] ?? ""), callerId: attribute(dial[1] ?? "", "callerId") };
  const connect = /<Connect([^>]*)>\s*<ConversationRelay([^>]*)\/>/.exec(text);
  const relayUrl = connect === null ? null : attribute(connect[2] ?? "", "url");
  if (connect === null || relayUrl === null) return null;
  return { verb: "connect", relayUrl, action: attribute(connect[1] ?? "", "action") };
}

function attribute(text: string, name: string): string | null {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(text)?.[1];
  return value === undefined ? null : plain(value);
}

function plain(text: string): string {
  return text
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}
