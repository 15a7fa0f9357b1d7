import type { CalleeMind } from "../../simulated/callee/mind.ts";
import type { Outcome } from "../../simulated/outcome.ts";

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

/** What a call was made with, by Twilio's names; a name may come more than once. */
export type CallForm = URLSearchParams;

export type FakeRecording = { readonly sid: string; readonly bytes: Uint8Array; readonly seconds: number };

/** One call at the fake. */
export type FakeCall = {
  readonly sid: string;
  /** Ours, as the address for its status names it; null: somebody else's call. */
  readonly callId: string | null;
  readonly form: CallForm;
  readonly outcome: Outcome;
  readonly mind: CalleeMind;
  readonly createdAt: number;
  status: CallStatus;
  startedAt: number | null;
  answeredAt: number | null;
  endedAt: number | null;
  answeredBy: string | null;
  sipCode: string | null;
  /** Of its status callbacks. */
  sequence: number;
  linesSaid: number;
  recording: FakeRecording | null;
  /** What was asked of the service for it. */
  readonly requests: { readonly url: string; readonly parameters: Readonly<Record<string, string>> }[];
  /** Aborts when the call is over. */
  readonly over: AbortController;
};

const LIVE: ReadonlySet<CallStatus> = new Set(["queued", "initiated", "ringing", "in-progress"]);

export function isLive({ status }: Pick<FakeCall, "status">): boolean {
  return LIVE.has(status);
}

/** As Twilio shows a call. */
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
    // A call that nobody answered began when it was dialled, one that was answered with the answer.
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

/** Whole seconds, as Twilio tells moments. */
export function rfc2822(millis: number): string;
export function rfc2822(millis: number | null): string | null;
export function rfc2822(millis: number | null): string | null {
  return millis === null ? null : new Date(millis).toUTCString().replace("GMT", "+0000");
}
