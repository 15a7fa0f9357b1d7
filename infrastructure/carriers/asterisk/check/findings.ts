import { randomBytes } from "node:crypto";
import type { CarrierFinding } from "../../../../application/ports/carrier.ts";
import type { Clock } from "../../../../application/ports/clock.ts";
import type { AriAnswer, AriClient } from "../ari/ari-client.ts";
import { attributesSchema, endpointSchema, infoSchema, moduleSchema } from "../ari/ari-schemas.ts";
import { readVariable, setVariable } from "../ari/ari-variables.ts";
import { clockAhead, clocksApart } from "../ari/asterisk-clock.ts";
import { isNewEnough, NEEDED_VERSIONS } from "../ari/version.ts";
import type { AsteriskLink } from "../link/asterisk-link.ts";

const LOOKS = 30;
const PAUSE_MILLIS = 100;
/** Before the trunk in the report of a dialplan that calls nobody to whom the far side sends a call. */
const FOLLOWS_NOBODY = "follows-nobody ";

export type CheckDeps = {
  readonly ari: AriClient;
  readonly context: string;
  readonly clock: Pick<Clock, "nowMillis" | "sleep">;
  /** Of the open connection. */
  readonly link: Pick<AsteriskLink, "askAgain" | "refuses">;
  /** A speech engine is configured. */
  readonly speaks: boolean;
};

/**
 * Asks Asterisk for everything that a call needs; dials nobody. docs/asterisk.md says what to
 * do about each finding.
 */
export async function checkAsterisk(deps: CheckDeps): Promise<readonly CarrierFinding[]> {
  const { ari, clock } = deps;
  const answer = await ari.request({ method: "GET", path: "/asterisk/info", giveUpMillis: 5_000 });
  const reached = reachedFindings(answer);
  const info = answer.kind === "answered" ? infoSchema.safeParse(answer.body) : null;
  if (!reached.every(({ ok }) => ok) || !info?.success) return reached;
  const [dialplan] = await Promise.all([checkDialplan(deps), deps.link.askAgain()]);
  return [
    ...reached,
    versionFinding(info.data.system.version),
    clockFinding(await clockAhead(ari, clock)),
    dialplan.finding,
    ...(dialplan.trunk === null ? [] : [await trunkFinding(ari, dialplan.trunk)]),
    await mediaFinding(ari),
    eventsFinding(deps.link.refuses()),
    speechFinding(deps.speaks),
  ];
}

function reachedFindings(answer: AriAnswer): CarrierFinding[] {
  if (answer.kind === "failed") {
    const detail =
      answer.cause === "address_not_allowed"
        ? "The server's address is not allowed: CONNECTION_ALLOW_CIDRS opens private ranges"
        : `Nobody answers there (${answer.cause}): is http.conf enabled and bound to this address?`;
    return [{ name: "reachable", ok: false, detail }];
  }
  const reachable = { name: "reachable", ok: true, detail: "Asterisk's HTTP server answers" };
  if (answer.status === 401 || answer.status === 403)
    return [
      reachable,
      { name: "credentials", ok: false, detail: "The user or the password of ari.conf is another one" },
    ];
  if (answer.status === 200 && infoSchema.safeParse(answer.body).success)
    return [reachable, { name: "credentials", ok: true, detail: "Asterisk takes user and password" }];
  const detail = `/ari/asterisk/info answered ${answer.status}: is ARI enabled (ari.conf), and is this Asterisk?`;
  return [{ name: "reachable", ok: false, detail }];
}

function versionFinding(version: string): CarrierFinding {
  const ok = isNewEnough(version);
  const shown = version.slice(0, 40);
  return {
    name: "version",
    ok,
    detail: ok ? `Asterisk ${shown}` : `Asterisk ${shown} is too old: it must be ${NEEDED_VERSIONS} at least`,
  };
}

function clockFinding(ahead: number | null): CarrierFinding {
  if (ahead === null) return { name: "clock", ok: false, detail: "Asterisk does not tell the time" };
  const apart = clocksApart(ahead);
  return { name: "clock", ok: apart === null, detail: apart ?? `The clocks are ${Math.abs(ahead)} ms apart` };
}

/**
 * A dial that is late on purpose: the dialplan refuses it, rings nobody, and reports the trunk
 * that it would have used.
 */
async function checkDialplan({
  ari,
  context,
  clock,
}: CheckDeps): Promise<{ readonly finding: CarrierFinding; readonly trunk: string | null }> {
  const id = `check_${randomBytes(8).toString("hex")}`;
  const variable = `RF_${id}`;
  await ari.request({
    method: "POST",
    path: "/channels",
    query: {
      endpoint: `Local/+0@${context}/n`,
      channelId: id,
      otherChannelId: `${id}-2`,
      app: id,
      timeout: "5",
    },
    body: { variables: { RF_CALL: id, RF_DIAL_BY: "0", RF_RING: "1", RF_CHECK: variable } },
  });
  for (let look = 1; look <= LOOKS; look += 1) {
    const dialString = await readVariable(ari, variable);
    if (dialString !== null && dialString !== "") {
      const trunk = dialString.slice(dialString.lastIndexOf("@") + 1);
      await setVariable(ari, variable, "");
      const ok = dialString.startsWith(FOLLOWS_NOBODY);
      const detail = ok
        ? `The context ${context} refuses a dial that comes too late, and dials through ${shown(trunk)}`
        : `The context ${context} is an older one, which calls whomever the far side names in place of the callee: copy ringfold-dial.conf again and reload the dialplan`;
      return { finding: { name: "context", ok, detail }, trunk };
    }
    await clock.sleep(PAUSE_MILLIS);
  }
  const detail = `The context ${context} is not there or is not ours: include ringfold-dial.conf in extensions.conf and reload the dialplan`;
  return { finding: { name: "context", ok: false, detail }, trunk: null };
}

async function trunkFinding(ari: AriClient, trunk: string): Promise<CarrierFinding> {
  const name = "trunk";
  const answer = await ari.request({ method: "GET", path: `/endpoints/PJSIP/${encodeURIComponent(trunk)}` });
  if (answer.kind === "failed") return { name, ok: false, detail: "Asterisk does not tell its state" };
  const detail = `pjsip.conf has no endpoint ${shown(trunk)}: put your trunk's name in ringfold-dial.conf`;
  if (answer.status === 404) return { name, ok: false, detail };
  const read = endpointSchema.safeParse(answer.body);
  const state = (read.success ? read.data.state : undefined) ?? "unknown";
  // Without qualify_frequency Asterisk does not check whether the trunk is reachable.
  if (state === "offline")
    return { name, ok: false, detail: `The trunk ${shown(trunk)} does not answer (offline)` };
  if (await redirectsItself(ari, trunk)) {
    const detail = `The endpoint ${shown(trunk)} calls whomever the far side names: take redirect_method=uri_pjsip out of pjsip.conf`;
    return { name, ok: false, detail: detail };
  }
  return { name, ok: true, detail: `The trunk ${shown(trunk)} is ${state}` };
}

/** With `uri_pjsip` Asterisk follows a redirection below the dialplan, whose Dial cannot prevent it. */
async function redirectsItself(ari: AriClient, trunk: string): Promise<boolean> {
  const path = `/asterisk/config/dynamic/res_pjsip/endpoint/${encodeURIComponent(trunk)}`;
  const answer = await ari.request({ method: "GET", path });
  const read = answer.kind === "answered" ? attributesSchema.safeParse(answer.body) : null;
  return (
    read?.data?.some(({ attribute, value }) => attribute === "redirect_method" && value === "uri_pjsip") ??
    false
  );
}

async function mediaFinding(ari: AriClient): Promise<CarrierFinding> {
  const name = "media";
  const answer = await ari.request({ method: "GET", path: "/asterisk/modules/chan_websocket.so" });
  const read = answer.kind === "answered" ? moduleSchema.safeParse(answer.body) : null;
  if (read?.success && read.data.status === "Running")
    return { name, ok: true, detail: "Media sockets (chan_websocket) are served on the same port" };
  return { name, ok: false, detail: "chan_websocket is not running: load it in modules.conf" };
}

function eventsFinding(refuses: string | null): CarrierFinding {
  return { name: "event_feed", ok: refuses === null, detail: refuses ?? "Asterisk's events arrive" };
}

function speechFinding(speaks: boolean): CarrierFinding {
  return {
    name: "speech",
    ok: speaks,
    detail: speaks
      ? "There is a voice"
      : "Nothing can speak: set SPEECH_BASE_URL and SPEECH_TTS_MODEL, or install the program espeak-ng",
  };
}

function shown(text: string): string {
  return text.slice(0, 80);
}
