import type { Carrier, OpenCarrier, PlaceCall, PlaceCallResult } from "../../../application/ports/carrier.ts";
import type { Speech } from "../../../application/ports/speech.ts";
import type { CallId } from "../../../domain/shared/ids.ts";
import type { OpenAsteriskOptions } from "../open-carrier-options.ts";
import { type AriClient, createAriClient } from "./ari/ari-client.ts";
import { readVariable } from "./ari/ari-variables.ts";
import { deleteRecording, fetchRecording } from "./ari/recordings.ts";
import { checkAsterisk } from "./check/findings.ts";
import { createDialJournal, type DialJournal, KEPT_MILLIS } from "./dial/dial-journal.ts";
import { lookUp } from "./dial/look-up.ts";
import { dial, notPlaced } from "./dial/place-call.ts";
import { createEventDelivery } from "./line/event-delivery.ts";
import { createLines } from "./line/lines.ts";
import { talkOf } from "./line/talk-of.ts";
import { type AsteriskLink, startAsteriskLink } from "./link/asterisk-link.ts";
import { createAwayWorkers } from "./link/away-workers.ts";
import { reconcile } from "./link/reconcile.ts";

/** `speech`: text to speech and speech to text for the conversations; null: none, and nobody is dialled. */
export type AsteriskOptions = OpenAsteriskOptions & { readonly speech: Speech | null };

const SPEECHLESS =
  "Nothing can speak: set SPEECH_BASE_URL and SPEECH_TTS_MODEL, or install the program espeak-ng";

/**
 * A SIP trunk through the operator's own Asterisk. Opens also while Asterisk cannot be reached;
 * then nobody is dialled.
 */
export async function openAsterisk(options: AsteriskOptions): Promise<OpenCarrier> {
  const { settings, secret, egress, clock, logger, metrics, sink } = options;
  const { url, user, context } = settings;
  const guard = { policy: egress.policy, resolve: egress.resolve, ca: undefined };
  const ari = createAriClient({ url, user, password: secret, guard, clock });
  const family = `rf-${plain(options.installation).slice(0, 12)}-`;
  // Two connections to one Asterisk need different application names.
  const app = `${family}${plain(options.processId)}${plain(options.connection.key)}`;
  const delivery = createEventDelivery({ sink, clock, logger });
  const talk = talkOf({ ...options, ari, app, hangUp: (callId) => void hangUp(ari, callId) });
  const lines = createLines({ ari, clock, logger, metrics, delivery, talk });
  const journal = createDialJournal({ ari, clock, app, family });
  const away = createAwayWorkers({ ari, app, family, clock, logger, isOurs: (callId) => lines.has(callId) });
  let run: string | null = null;
  const link = startAsteriskLink({
    ari,
    app,
    clock,
    logger,
    metrics,
    onEvent: (event) => lines.hear(event),
    onUp: async (instance) => {
      const isSameRun = run === null || run === instance;
      run = instance;
      await journal.begin();
      await reconcile({ ari, app, clock, lines }, isSameRun);
    },
    onBeat: async () => {
      await away.beat();
      await journal.clear();
    },
  });
  const refuses = () => (options.speech === null ? SPEECHLESS : link.refuses());
  const carrier: Carrier = {
    kind: "asterisk",
    can: {
      dialOnceForMillis: KEPT_MILLIS,
      answersMachineVerdict: false,
      records: true,
      resumes: true,
      callsPerSecond: settings.callsPerSecond,
    },
    instance: () => link.asked().then(() => (refuses() === null ? link.instance() : null)),
    placeCall: (call, sendBy) => placeCall({ ari, app, context, refuses, journal }, call, sendBy),
    hangUp: async (call) => {
      if (call.instance !== null && (await readVariable(ari, "RF_SINCE")) !== call.instance) return "unknown";
      return hangUp(ari, call.callId);
    },
    lookup: (call) => lookUp({ ari, clock }, call),
    callsSince: journal.callsSince,
    recording: (name) => fetchRecording(ari, name),
    deleteRecording: (name) => deleteRecording(ari, name),
    available: async () => refuses() === null,
    refuses: () => link.asked().then(refuses),
  };
  return {
    carrier,
    sockets: [],
    requests: [],
    check: () => checkAsterisk({ ari, context, clock, link, speaks: options.speech !== null }),
    leave: () => lines.leave(),
    stop: async () => {
      lines.leave();
      await link.stop();
      delivery.stop();
      await ari.close();
    },
  };
}

type Placing = {
  readonly ari: AriClient;
  readonly app: string;
  readonly context: string;
  readonly refuses: AsteriskLink["refuses"];
  readonly journal: Pick<DialJournal, "write">;
};

async function placeCall(
  { ari, app, context, refuses, journal }: Placing,
  call: PlaceCall,
  sendBy: number,
): Promise<PlaceCallResult> {
  const refused = refuses();
  if (refused !== null) return notPlaced(null, refused, true);
  if (!(await journal.write(call))) return notPlaced(null, "Asterisk cannot be reached", true);
  const stillRefused = refuses();
  if (stillRefused !== null) return notPlaced(null, stillRefused, true);
  return dial({ ari, app, context }, call, sendBy);
}

async function hangUp(ari: AriClient, callId: CallId): Promise<"done" | "already_ended" | "unknown"> {
  const answer = await ari.request({ method: "DELETE", path: `/channels/${encodeURIComponent(callId)}` });
  if (answer.kind === "failed") return "unknown";
  if (answer.status === 204) return "done";
  return answer.status === 404 ? "already_ended" : "unknown";
}

/** Application names are used in addresses and in lists with commas. */
function plain(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]/g, "");
}
