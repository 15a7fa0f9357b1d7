import { createHash } from "node:crypto";
import type { Clock } from "../../application/ports/clock.ts";
import { type Outcome, outcomeOf } from "../callee/outcome.ts";
import { behaviourOf } from "../callee/personas.ts";
import { type SeededRandom, seededRandom } from "../callee/seeded-random.ts";
import { type Journal, openJournal } from "../carrier/journal.ts";
import { type CallForm, type FakeCall, isLive } from "./fake-call.ts";
import { createCallbacks } from "./fake-callbacks.ts";
import { type FakeLineDeps, hangUp, playCall } from "./fake-line.ts";
import type { Faults } from "./faults.ts";

/** The fields of an error answer of Twilio. */
export type TwilioError = { readonly status: number; readonly code: number; readonly message: string };

export type Created =
  | { readonly kind: "created"; readonly call: FakeCall; readonly written: Promise<void> }
  | { readonly kind: "refused"; readonly error: TwilioError };

/** One account at the fake: its calls, its dial rate, and its memory. */
export interface FakeAccount {
  create(form: CallForm): Created;
  call(sid: string): FakeCall | undefined;
  calls(): readonly FakeCall[];
  /** False: it had ended. */
  hangUp(call: FakeCall): boolean;
  stop(): Promise<void>;
}

export type FakeAccountOptions = {
  readonly clock: Clock;
  readonly account: { readonly accountSid: string; readonly authToken: string };
  readonly seed: number;
  readonly speed: number;
  readonly callsPerSecond: number;
  /** null: every number may call. */
  readonly ownedNumbers: readonly string[] | null;
  /** The outcome of a call; undefined: that of the simulated carrier. */
  readonly outcome?: (to: string) => Outcome | undefined;
  readonly journalPath: string;
  readonly faults: Faults;
  readonly random: SeededRandom;
};

export async function openFakeAccount(options: FakeAccountOptions): Promise<FakeAccount> {
  const { clock, faults, random, journalPath } = options;
  const journal = await openJournal(journalPath);
  const stopping = new AbortController();
  const calls = new Map<string, FakeCall>();
  const dials = new Map<string, number>();
  let made = 0;
  let freeAt = 0;
  const sidOf = (prefix: string) => {
    made += 1;
    const text = `${options.seed}/${made}/${clock.nowMillis()}/${prefix}`;
    return `${prefix}${createHash("md5").update(text).digest("hex")}`;
  };
  const callbacks = createCallbacks({ ...options, stop: stopping.signal });
  const line: FakeLineDeps = {
    ...options,
    faults,
    random,
    callbacks,
    sidOf,
    stop: stopping.signal,
    onTransfer: (call, to) =>
      void write(journal, { kind: "transfer", at: clock.now(), callId: call.callId, to }),
  };
  const rung = new Set<string>();
  /** Calls leave the queue in order, so many a second. */
  const dial = async (call: FakeCall) => {
    const at = Math.max(clock.monotonicMillis(), freeAt);
    freeAt = at + 1_000 / options.callsPerSecond;
    await clock.sleep(at - clock.monotonicMillis(), AbortSignal.any([stopping.signal, call.over.signal]));
    if (stopping.signal.aborted || !isLive(call)) return;
    await write(journal, ringOf(call, rung, clock));
    await playCall(line, call);
  };
  return {
    create: (form) => {
      const to = form.get("To") ?? "";
      const dialsBefore = dials.get(to) ?? 0;
      const outcome = options.outcome?.(to) ?? drawn(options, to, dialsBefore);
      const error = refusalOf(form, outcome, options.ownedNumbers);
      if (error !== null) return { kind: "refused", error };
      dials.set(to, dialsBefore + 1);
      const call: FakeCall = {
        sid: sidOf("CA"),
        callId: callIdOf(form),
        form,
        outcome,
        behaviour: behaviourOf({ seed: options.seed, to, dialsBefore, outcome }),
        createdAt: clock.nowMillis(),
        status: "queued",
        startedAt: null,
        answeredAt: null,
        endedAt: null,
        answeredBy: null,
        sipCode: null,
        sequence: 0,
        linesSaid: 0,
        recording: null,
        requests: [],
        over: new AbortController(),
      };
      calls.set(call.sid, call);
      const { callId, sid } = call;
      const written = write(journal, { kind: "create", at: clock.now(), callId: callId ?? "", sid });
      void written.then(() => dial(call)).catch(() => undefined);
      return { kind: "created", call, written };
    },
    call: (sid) => calls.get(sid),
    calls: () => [...calls.values()],
    hangUp: (call) => hangUp(line, call),
    stop: async () => {
      stopping.abort();
      for (const call of calls.values()) call.over.abort();
      await callbacks.settled();
      await journal.close();
    },
  };
}

async function write(journal: Journal, entry: object): Promise<void> {
  await journal.append(entry);
}

/** A dial in the form of the carrier journal, so that one judge can check both carriers. */
function ringOf(call: FakeCall, rung: Set<string>, clock: Clock): object {
  const callId = call.callId ?? call.sid;
  const duplicate = rung.has(callId);
  rung.add(callId);
  const [from, to] = [call.form.get("From"), call.form.get("To")];
  return { kind: "dial", at: clock.now(), callId, from, to, carrierCallId: call.sid, duplicate };
}

function drawn({ seed }: FakeAccountOptions, to: string, dialsBefore: number): Outcome {
  if (!isPhoneNumber(to)) return "invalid_number";
  return outcomeOf(to, dialsBefore, seededRandom(`outcome:${seed}:${to}:${dialsBefore}`));
}

function isPhoneNumber(text: string): text is `+${string}` {
  return /^\+[1-9]\d{6,14}$/.test(text);
}

/** The checks of Twilio before it accepts a call. */
function refusalOf(
  form: CallForm,
  outcome: Outcome,
  ownedNumbers: readonly string[] | null,
): TwilioError | null {
  const [to, from] = [form.get("To") ?? "", form.get("From") ?? ""];
  if (!isPhoneNumber(to) || outcome === "invalid_number")
    return badRequest(21_211, `The phone number you are attempting to call, ${to}, is not valid.`);
  if (/^\+1900/.test(to))
    return badRequest(
      21_215,
      `Account not authorized to call ${to}. Perhaps you need to enable some permissions.`,
    );
  if (!isPhoneNumber(from))
    return badRequest(21_212, `The phone number ${from} is not a valid 'From' number.`);
  if (ownedNumbers !== null && !ownedNumbers.includes(from))
    return badRequest(
      21_210,
      `The source phone number provided, ${from}, is not yet verified for your account.`,
    );
  if (form.get("Twiml") === null && form.get("Url") === null)
    return badRequest(21_205, "Url parameter is required.");
  if ((form.get("Twiml") ?? "").length > 4_000)
    return badRequest(21_623, "Twiml is longer than 4000 characters.");
  return null;
}

function badRequest(code: number, message: string): TwilioError {
  return { status: 400, code, message };
}

/** Every address that we give contains our callId. */
function callIdOf(form: CallForm): string | null {
  return /\/carrier\/twilio\/([^/]+)\/status/.exec(form.get("StatusCallback") ?? "")?.[1] ?? null;
}
