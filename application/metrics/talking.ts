import type { MetricTable } from "./metric-row.ts";

/** Conversations, models and speech. */
export const TALKING = {
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
  ringfold_conversations_limit: {
    kind: "gauge",
    unit: "conversations",
    of: "installation",
    labels: ["form"],
    help: "Conversations that all live processes together hold, if all were of that form: text, audio",
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
  ringfold_rehearsal_runs_total: {
    kind: "counter",
    unit: "runs",
    of: "process",
    labels: ["status"],
    help: "Runs of rehearsals that this process played to their end: passed, failed, error",
  },
  ringfold_rehearsal_tokens_total: {
    kind: "counter",
    unit: "tokens",
    of: "process",
    labels: ["direction"],
    help: "Tokens that models counted in rehearsals, read (input) and written (output)",
  },
} as const satisfies MetricTable;
