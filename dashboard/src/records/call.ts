import type { CallListRecord, CallRecord } from "../../../contract/call.ts";

export type CallStatus = CallListRecord["status"];
export type Message = CallRecord["messages"][number];

export const CALL_STATUSES = [
  "initiating",
  "ringing",
  "connected",
  "in_progress",
  "completed",
  "failed",
] as const satisfies readonly CallStatus[];

export const isOver = ({ status }: Pick<CallListRecord, "status">): boolean =>
  status === "completed" || status === "failed";

export const TONES = {
  initiating: "quiet",
  ringing: "wait",
  connected: "accent",
  in_progress: "accent",
  completed: "good",
  failed: "bad",
} as const;
