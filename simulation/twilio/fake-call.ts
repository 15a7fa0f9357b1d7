import type { CalleeBehaviour } from "../../application/voice/callee/behaviour.ts";
import type { Outcome } from "../callee/outcome.ts";

export type CallStatus =
  | "queued"
  | "initiated"
  | "ringing"
  | "in-progress"
  | "completed"
  | "busy"
  | "failed"
  | "no-answer"
  | "canceled";

/** Fields of the request for a call, with Twilio's names; a name may occur more than once. */
export type CallForm = URLSearchParams;

/** Listed from the end of the call on; it can be heard once it is processed. `bytes` null: it cannot yet. */
export type FakeRecording = { readonly sid: string; bytes: Uint8Array | null; readonly seconds: number };

/** One call at the fake. */
export type FakeCall = {
  readonly sid: string;
  /** Our id from the address for its status; null: a call of somebody else. */
  readonly callId: string | null;
  readonly form: CallForm;
  readonly outcome: Outcome;
  readonly behaviour: CalleeBehaviour;
  readonly createdAt: number;
  status: CallStatus;
  startedAt: number | null;
  answeredAt: number | null;
  endedAt: number | null;
  answeredBy: string | null;
  sipCode: string | null;
  /** Number of status callbacks. */
  sequence: number;
  linesSaid: number;
  recording: FakeRecording | null;
  /** Requests to the service about it. */
  readonly requests: { readonly url: string; readonly parameters: Readonly<Record<string, string>> }[];
  /** Aborts when the call is over. */
  readonly over: AbortController;
};

const LIVE: ReadonlySet<CallStatus> = new Set(["queued", "initiated", "ringing", "in-progress"]);

export function isLive({ status }: Pick<FakeCall, "status">): boolean {
  return LIVE.has(status);
}

/** The call in Twilio's format. */
export function callJson(call: FakeCall, accountSid: string): object {
  const talked = call.answeredAt !== null && call.endedAt !== null;
  return {
    sid: call.sid,
    account_sid: accountSid,
    to: call.form.get("To"),
    from: call.form.get("From"),
    status: call.status === "initiated" ? "queued" : call.status,
    direction: "outbound-api",
    api_version: "2010-04-01",
    date_created: rfc2822(call.createdAt),
    date_updated: rfc2822(call.endedAt ?? call.createdAt),
    // A call without an answer began with its dial, an answered one with the answer.
    start_time: rfc2822(call.answeredAt ?? call.startedAt),
    end_time: rfc2822(call.endedAt),
    duration: talked ? String(secondsOf(call)) : null,
    answered_by: call.answeredBy,
    price: null,
    price_unit: "USD",
    uri: `/2010-04-01/Accounts/${accountSid}/Calls/${call.sid}.json`,
  };
}

export function secondsOf({ answeredAt, endedAt }: Pick<FakeCall, "answeredAt" | "endedAt">): number {
  return answeredAt === null || endedAt === null
    ? 0
    : Math.max(0, Math.round((endedAt - answeredAt) / 1_000));
}

/** Whole seconds, as Twilio's timestamps. */
export function rfc2822(millis: number): string;
export function rfc2822(millis: number | null): string | null;
export function rfc2822(millis: number | null): string | null {
  return millis === null ? null : new Date(millis).toUTCString().replace("GMT", "+0000");
}
