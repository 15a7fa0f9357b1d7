import type { Environment } from "./environment.ts";

/** Variables that are valid alone and wrong together: one clear line for each, without values. */
export function contradictions(env: Environment): string[] {
  const lines: string[] = [];
  if (env.DATABASE_URL !== undefined && env.SECRETS_KEY === undefined) {
    lines.push(
      "SECRETS_KEY: required with DATABASE_URL (32 bytes in base64); only the embedded database makes one in DATA_DIR",
    );
  }
  if (env.RATE_LIMIT_PER_SECOND > 0 && env.RATE_LIMIT_BURST < 1)
    lines.push("RATE_LIMIT_BURST: must be at least 1 while RATE_LIMIT_PER_SECOND is set");
  if (env.ROLE !== "all" && env.DATABASE_URL === undefined)
    lines.push(`ROLE: ${env.ROLE} needs DATABASE_URL, because processes share one database`);
  if (env.ROLE !== "all" && env.CARRIER === "simulated" && env.SIMULATOR_URL === undefined)
    lines.push(`ROLE: ${env.ROLE} needs SIMULATOR_URL, because processes share one carrier`);
  if (env.LLM_BASE_URL !== undefined && env.LLM_MODEL === undefined)
    lines.push("LLM_MODEL: required with LLM_BASE_URL: the model of assistants that name none");
  if (env.LLM_BASE_URL !== undefined && !isPlain(new URL(env.LLM_BASE_URL)))
    lines.push("LLM_BASE_URL: takes no user, password, query or fragment; the key stands in LLM_API_KEY");
  return [...lines, ...carrierContradictions(env), ...speechContradictions(env)];
}

function carrierContradictions(env: Environment): string[] {
  const lines: string[] = [];
  const usesTwilio = env.CARRIER === "twilio" || env.TWILIO_ACCOUNT_SID !== undefined;
  if (usesTwilio && env.PUBLIC_URL === undefined)
    lines.push("PUBLIC_URL: required with Twilio, which calls back there");
  if ((env.TWILIO_ACCOUNT_SID === undefined) !== (env.TWILIO_AUTH_TOKEN === undefined))
    lines.push("TWILIO_AUTH_TOKEN: TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN are set together");
  const asterisk = [env.ASTERISK_URL, env.ASTERISK_USER, env.ASTERISK_PASSWORD];
  if (new Set(asterisk.map((each) => each === undefined)).size > 1)
    lines.push("ASTERISK_URL: ASTERISK_URL, ASTERISK_USER and ASTERISK_PASSWORD are set together");
  if (env.ASTERISK_URL !== undefined && !isPlain(new URL(env.ASTERISK_URL)))
    lines.push("ASTERISK_URL: takes no user, password, query or fragment");
  const dialsPeople =
    env.CARRIER === "asterisk" || (env.CARRIER === "twilio" && env.TWILIO_API_URL === undefined);
  if (dialsPeople && env.SIMULATOR_MINUTE_MS !== 60_000)
    lines.push(
      "SIMULATOR_MINUTE_MS: is for carriers that dial nobody: people would be called again too soon",
    );
  return lines;
}

function speechContradictions(env: Environment): string[] {
  const { SPEECH_BASE_URL, SPEECH_TTS_MODEL, SPEECH_STT_MODEL } = env;
  if (SPEECH_BASE_URL === undefined)
    return (["SPEECH_API_KEY", "SPEECH_TTS_MODEL", "SPEECH_STT_MODEL"] as const)
      .filter((name) => env[name] !== undefined)
      .map((name) => `${name}: needs SPEECH_BASE_URL, the server that it is meant for`);
  const lines: string[] = [];
  if (SPEECH_TTS_MODEL === undefined && SPEECH_STT_MODEL === undefined)
    lines.push(
      "SPEECH_BASE_URL: needs SPEECH_TTS_MODEL, SPEECH_STT_MODEL or both: what the server is asked for",
    );
  if (!isPlain(new URL(SPEECH_BASE_URL)))
    lines.push(
      "SPEECH_BASE_URL: takes no user, password, query or fragment; the key stands in SPEECH_API_KEY",
    );
  return lines;
}

function isPlain({ username, password, search, hash }: URL): boolean {
  return [username, password, search, hash].every((part) => part === "");
}
