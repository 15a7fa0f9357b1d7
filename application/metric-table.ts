type MetricRow = {
  readonly kind: "counter" | "gauge" | "histogram";
  /** Unit of its value; times are seconds, amounts credits. */
  readonly unit: string;
  /**
   * process: each process reports its own value; add counts up, take the largest age.
   * installation: take the largest.
   */
  readonly of: "process" | "installation";
  /** Few values each, none of them chosen by a caller or an owner. */
  readonly labels: readonly string[];
  readonly help: string;
};

/** All of our metrics in GET /metrics; docs/metrics.md describes them. */
export const METRICS = {
  ringfold_dials_total: {
    kind: "counter",
    unit: "dials",
    of: "process",
    labels: [],
    help: "Dials begun: the carrier was asked to ring somebody, or may have been",
  },
  ringfold_calls_ended_total: {
    kind: "counter",
    unit: "calls",
    of: "process",
    labels: ["end_reason"],
    help: "Calls that ended, by the reason of their end",
  },
  ringfold_carrier_callbacks_refused_total: {
    kind: "counter",
    unit: "requests",
    of: "process",
    labels: ["carrier"],
    help: "Requests to the addresses for a carrier that were not signed by it: refused with 403",
  },
  ringfold_carrier_callbacks_repeated_total: {
    kind: "counter",
    unit: "requests",
    of: "process",
    labels: ["carrier"],
    help: "Signed callbacks that a carrier sent again: answered with 2xx, and nothing changed",
  },
  ringfold_carrier_refusals_total: {
    kind: "counter",
    unit: "calls",
    of: "process",
    labels: ["carrier", "code"],
    help: "Calls that a carrier ended before anybody answered, by the SIP code of the far side; other: a code without a row in the documents",
  },
  ringfold_asterisk_reconnects_total: {
    kind: "counter",
    unit: "sockets",
    of: "process",
    labels: [],
    help: "Event sockets of Asterisk that were lost after they had been up: nobody is dialled through it until the next one is",
  },
  ringfold_asterisk_clock_difference_seconds: {
    kind: "histogram",
    unit: "seconds",
    of: "process",
    labels: [],
    help: "How far the clock of an Asterisk was from ours, at each comparison; beyond 2 s nobody is dialled through it",
  },
  ringfold_active_calls: {
    kind: "gauge",
    unit: "calls",
    of: "installation",
    labels: [],
    help: "Calls that have not ended, of all owners; each holds a slot of its owner's plan",
  },
  ringfold_campaigns: {
    kind: "gauge",
    unit: "campaigns",
    of: "installation",
    labels: ["state", "pause_reason"],
    help: "Campaigns by state; pause_reason is empty for those that are not paused",
  },
  ringfold_oldest_due_contact_age_seconds: {
    kind: "gauge",
    unit: "seconds",
    of: "process",
    labels: [],
    help: "How long the longest waiting contact of the campaigns run here could have been called; 0: nobody waits",
  },
  ringfold_connections_not_well: {
    kind: "gauge",
    unit: "connections",
    of: "process",
    labels: ["state"],
    help: "Carriers' connections that are unavailable (five dials in a row without an answer) or slowed (too much to do); each name stands in /health/ready",
  },
  ringfold_relay_sockets_refused_total: {
    kind: "counter",
    unit: "sockets",
    of: "process",
    labels: ["reason"],
    help: "Sockets of a carrier's relay that were closed for what came over them: flood, malformed",
  },
  ringfold_interruptions_total: {
    kind: "counter",
    unit: "interruptions",
    of: "process",
    labels: ["kind"],
    help: "Sounds of customers that stopped an assistant on an audio line: real, or false (it went on where it was)",
  },
  ringfold_speech_requests_total: {
    kind: "counter",
    unit: "requests",
    of: "process",
    labels: ["engine", "outcome"],
    help: "Sentences asked of the voice and utterances asked of the recogniser, by outcome",
  },
  ringfold_credits_available: {
    kind: "gauge",
    unit: "credits",
    of: "installation",
    labels: [],
    help: "Credits that new calls can use, of all owners",
  },
  ringfold_credits_reserved: {
    kind: "gauge",
    unit: "credits",
    of: "installation",
    labels: [],
    help: "Credits held for calls that have not ended, of all owners",
  },
  ringfold_call_slots_limit: {
    kind: "gauge",
    unit: "slots",
    of: "installation",
    labels: [],
    help: "Slots (places for calls) that the plans of all active owners allow",
  },
  ringfold_call_slots_wanted: {
    kind: "gauge",
    unit: "slots",
    of: "installation",
    labels: [],
    help: "Slots that campaigns wait for now",
  },
  ringfold_carrier_throttled_total: {
    kind: "counter",
    unit: "dials",
    of: "process",
    labels: ["carrier"],
    help: "Dials that a carrier refused because it has too much to do; each slows its connection down",
  },
  ringfold_carrier_turn_delay_seconds: {
    kind: "gauge",
    unit: "seconds",
    of: "installation",
    labels: ["carrier"],
    help: "How long the next dial waits for its connection, of the slowest connection of each kind",
  },
  ringfold_conversations_limit: {
    kind: "gauge",
    unit: "conversations",
    of: "installation",
    labels: ["form"],
    help: "Conversations that all live processes together hold, if all were of that form: text, audio",
  },
  ringfold_database_up: {
    kind: "gauge",
    unit: "1 or 0",
    of: "process",
    labels: [],
    help: "1: the database told the numbers of the installation in time; 0: it did not, and they are left out",
  },
  ringfold_http_requests_total: {
    kind: "counter",
    unit: "requests",
    of: "process",
    labels: ["method", "route", "status"],
    help: "Requests answered, by route, method and status",
  },
  ringfold_http_request_duration_seconds: {
    kind: "histogram",
    unit: "seconds",
    of: "process",
    labels: ["method", "route"],
    help: "Time to the end of an answer, by route and method",
  },
  ringfold_read_model_events_total: {
    kind: "counter",
    unit: "events",
    of: "process",
    labels: ["model"],
    help: "Events taken by a read model",
  },
  ringfold_read_model_parked_events_total: {
    kind: "counter",
    unit: "events",
    of: "process",
    labels: ["model"],
    help: "Events that a read model had to leave out",
  },
  ringfold_processor_lag_seconds: {
    kind: "gauge",
    unit: "seconds",
    of: "process",
    labels: ["processor"],
    help: "Age of the oldest event that a processor of the log has not taken yet",
  },
  ringfold_processor_parked_events: {
    kind: "gauge",
    unit: "events",
    of: "process",
    labels: ["processor"],
    help: "Events that a processor had to leave aside; anything above 0 is an alarm",
  },
  ringfold_processor_position: {
    kind: "gauge",
    unit: "position",
    of: "process",
    labels: ["processor"],
    help: "The number with which a processor's position in the log begins",
  },
  ringfold_processor_last_moved_timestamp_seconds: {
    kind: "gauge",
    unit: "seconds since 1970",
    of: "process",
    labels: ["processor"],
    help: "When a processor moved last",
  },
  ringfold_turn_seconds: {
    kind: "histogram",
    unit: "seconds",
    of: "process",
    labels: ["stage"],
    help: "From the end of a customer's turn: until its words were durable, the model's first part, the first words on the line",
  },
  ringfold_model_tokens_total: {
    kind: "counter",
    unit: "tokens",
    of: "process",
    labels: ["direction"],
    help: "Tokens that models counted for answers on calls, read (input) and written (output)",
  },
  ringfold_unknown_events_total: {
    kind: "counter",
    unit: "events",
    of: "process",
    labels: ["type"],
    help: "Events of a type that this release does not know, by type",
  },
  ringfold_damaged_events_total: {
    kind: "counter",
    unit: "events",
    of: "process",
    labels: ["type"],
    help: "Events that could not be read and were passed over, by type",
  },
  ringfold_recordings_total: {
    kind: "counter",
    unit: "recordings",
    of: "process",
    labels: ["step", "result"],
    help: "Steps of recordings that ended: copy and delete (at the carrier), by result: copied, absent, erased, done, failed",
  },
  ringfold_recordings_waiting: {
    kind: "gauge",
    unit: "recordings",
    of: "installation",
    labels: ["step"],
    help: "Recordings that are still to be copied, or to be deleted at their carrier",
  },
  ringfold_webhook_attempts_total: {
    kind: "counter",
    unit: "attempts",
    of: "process",
    labels: ["class"],
    help: "Webhook attempts that ended, by class",
  },
  ringfold_webhook_attempt_duration_seconds: {
    kind: "histogram",
    unit: "seconds",
    of: "process",
    labels: [],
    help: "Time of a webhook attempt",
  },
  ringfold_webhook_oldest_undelivered_seconds: {
    kind: "gauge",
    unit: "seconds",
    of: "installation",
    labels: [],
    help: "Age of the oldest webhook event that is neither delivered nor dead",
  },
  ringfold_peak_memory_bytes: {
    kind: "gauge",
    unit: "bytes",
    of: "process",
    labels: [],
    help: "Highest resident memory of this process so far",
  },
} as const satisfies Readonly<Record<string, MetricRow>>;

type Table = typeof METRICS;
type NamesOf<Kind> = { [Name in keyof Table]: Table[Name]["kind"] extends Kind ? Name : never }[keyof Table];

export type MetricName = keyof Table;
export type CounterName = NamesOf<"counter">;
export type GaugeName = NamesOf<"gauge">;
export type HistogramName = NamesOf<"histogram">;
export type LabelsOf<Name extends MetricName> = Readonly<Record<Table[Name]["labels"][number], string>>;
