export type HistoryEvent = {
  readonly type: string;
  readonly occurredAt: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** One line of a contact's history in the log. */
export function historyLine({ type, occurredAt, data }: HistoryEvent): string {
  return `  ${occurredAt.slice(11, 23)}  ${type.padEnd(24)} ${detail(type, data)}`;
}

function detail(type: string, data: HistoryEvent["data"]): string {
  switch (type) {
    case "ContactDialed":
      return `attempt ${text(data["attempt"])}, local time ${text(field(data["evidence"], "localTime"))}, ${text(field(data["evidence"], "activeCalls"))} of ${text(field(data["evidence"], "effectiveMaxConcurrentCalls"))} calls`;
    case "ContactAttemptFailed":
      return data["retryAt"] === null
        ? `${text(data["endReason"])}, no more attempts`
        : `${text(data["endReason"])}, again at ${text(data["retryAt"]).slice(11, 23)}`;
    case "CallToolBegan":
      return `${text(data["toolName"])} ${JSON.stringify(data["arguments"])}`;
    case "CallToolEnded":
      return `${text(data["outcome"])}: ${text(data["shown"])}`.replaceAll("\n", " ");
    case "CallHandedOver":
      return text(data["toolName"]);
    case "CallSpeechCut":
      return `heard: ${text(data["heard"])}`;
    case "CallEndRequested":
      return text(data["reason"]);
    case "CallSessionEnded":
      return text(data["cause"]);
    case "CallMessageAdded":
      return `${text(field(data["message"], "role"))}: ${text(field(data["message"], "content"))}`;
    case "CallRequested":
      return `greeting "${text(data["greetingMessage"])}"`;
    case "CallConnected":
      return `answered by ${text(data["answeredBy"])}`;
    case "CallCompleted":
    case "CallFailed":
    case "ContactSucceeded":
      return text(data["endReason"]);
    default:
      return "";
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
