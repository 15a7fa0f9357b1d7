import { chmod, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Speech } from "../../../application/ports/speech.ts";
import { systemClock } from "../../../infrastructure/clock.ts";
import { readConfig } from "../../../infrastructure/config.ts";
import { openEgress } from "../../../infrastructure/connections/egress.ts";
import { openSpeech } from "../../../infrastructure/speech/open-speech.ts";
import { wavOf } from "../../../infrastructure/speech/pcm.ts";
import { removeFolder } from "../../../simulation/drills/remove-folder.ts";
import { silentLogger, silentMetrics } from "../../../simulation/memory/silent.ts";
import { fakeSpeechServer, OK, transcript } from "../../support/speech/fake-speech-server.ts";
import { likeness, soundOf } from "../../support/speech/scripted-voice.ts";

const egress = openEgress([], () => Promise.reject(new Error("no names here")));
let folder = "";

/** A stand-in that writes down how it was called, knows German and English, and says one sentence. */
const PROGRAM = `#!/bin/sh
here=$(dirname "$0")
printf '%s\\n' "$*" >> "$here/calls"
cat >> "$here/texts"
[ -z "$SPEECH_API_KEY" ] || printf leaked >> "$here/calls"
case "$2" in
  de|en) cat "$here/said.wav" ;;
  hang) exec sleep 60 ;;
  *) exit 1 ;;
esac
`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ringfold-espeak-"));
  await writeFile(join(folder, "espeak-ng"), PROGRAM);
  await chmod(join(folder, "espeak-ng"), 0o755);
  await writeFile(join(folder, "said.wav"), wavOf(soundOf("Guten Tag.")));
});
afterAll(async () => {
  await egress.close();
  await removeFolder(folder);
});

async function opened(env: NodeJS.ProcessEnv, path: string | undefined) {
  const lines: string[] = [];
  const logger = {
    ...silentLogger,
    info: (fields: object, message: string) => void lines.push(`${message} ${JSON.stringify(fields)}`),
  };
  const deps = { egress, clock: systemClock, logger, metrics: silentMetrics, path };
  return { speech: await openSpeech(readConfig(env).speech, deps), lines };
}

async function said(
  speech: Speech | null,
  words: Partial<{ text: string; voice: string; language: string }>,
) {
  const parts: Uint8Array[] = [];
  const utterance = { text: "Guten Tag.", voice: null, language: null, ...words };
  for await (const part of speech?.voice.speak(utterance, new AbortController().signal) ?? [])
    parts.push(part);
  return Buffer.concat(parts);
}

describe("the speech engines of an installation", () => {
  it("are none without a server and without the program, and the start says so", async () => {
    const { speech, lines } = await opened({}, "/nowhere:relative");
    expect(speech).toBeNull();
    expect(lines).toEqual([expect.stringContaining("nothing can speak; set SPEECH_BASE_URL")]);
  });

  it("are the installed program and ears for digits", async () => {
    const { speech, lines } = await opened({}, `/nowhere:${folder}:${process.env["PATH"]}`);
    expect(speech?.ear).toBeNull();
    expect(lines[0]).toContain('"voice":"espeak-ng","ear":"digits only"');
    const sound = await said(speech, { text: "-v evil; $(touch x) [[h@loU]]", language: "de-AT" });
    expect(likeness("Guten", sound)).toBeGreaterThan(0.9);
    const calls = await readFile(join(folder, "calls"), "utf8");
    expect(calls.split("\n").slice(0, 2)).toEqual([
      "-v de-at -b 1 --stdin --stdout",
      "-v de -b 1 --stdin --stdout",
    ]);
    expect(await readFile(join(folder, "texts"), "utf8")).toContain("-v evil; $(touch x)   h@loU  ");
  });

  it("end a program that hangs when its words are no longer wanted", async () => {
    const { speech } = await opened({}, `${folder}:${process.env["PATH"]}`);
    const left = new AbortController();
    const words = { text: "Hello", voice: "hang", language: null };
    setTimeout(() => left.abort(), 300);
    const speaking = speech?.voice.speak(words, left.signal)[Symbol.asyncIterator]().next();
    await expect(speaking).rejects.toThrow("no longer wanted");
  });

  it("are the server's voice and ear, in this network too", async () => {
    const server = await fakeSpeechServer(({ path }) =>
      path.endsWith("speech") ? OK : transcript({ text: "yes" }),
    );
    const env = {
      SPEECH_BASE_URL: `${server.url}/`,
      SPEECH_TTS_MODEL: "tts-9",
      SPEECH_STT_MODEL: "stt-9",
      SPEECH_VOICE: "nova",
    };
    const { speech, lines } = await opened(env, "/nowhere");
    expect(likeness("Tag.", await said(speech, {}))).toBeGreaterThan(0.8);
    expect(JSON.parse(server.asked[0]?.body.toString() ?? "")).toMatchObject({
      model: "tts-9",
      voice: "nova",
    });
    expect(speech?.ear).not.toBeNull();
    expect(lines[0]).toContain('"voice":"model tts-9","ear":"stt-9"');
    await server.close();
  });

  it("let the program say what the server fails to say", async () => {
    const server = await fakeSpeechServer(() => ({ kind: "status", status: 401 }));
    const env = { SPEECH_BASE_URL: server.url, SPEECH_TTS_MODEL: "tts-9", SPEECH_API_KEY: "sk-secret" };
    const { speech, lines } = await opened(env, `${folder}:${process.env["PATH"]}`);
    expect(likeness("Guten", await said(speech, { voice: "nova" }))).toBeGreaterThan(0.9);
    expect(lines.join()).not.toContain("sk-secret");
    await server.close();
  });
});

describe("SPEECH_*", () => {
  const mistakes = (env: NodeJS.ProcessEnv) => {
    try {
      readConfig(env);
      return "";
    } catch (error) {
      return String(error);
    }
  };

  it("names what is missing", () => {
    expect(mistakes({ SPEECH_STT_MODEL: "x", SPEECH_API_KEY: "y" })).toMatch(
      /SPEECH_API_KEY: needs.*\n.*SPEECH_STT_MODEL: needs/,
    );
    expect(mistakes({ SPEECH_BASE_URL: "http://a/v1" })).toContain(
      "needs SPEECH_TTS_MODEL, SPEECH_STT_MODEL or both",
    );
    expect(mistakes({ SPEECH_BASE_URL: "http://u:p@a/v1", SPEECH_TTS_MODEL: "x" })).toContain(
      "takes no user",
    );
    expect(mistakes({ SPEECH_BASE_URL: "ftp://a", SPEECH_TTS_MODEL: "x" })).toContain(
      "SPEECH_BASE_URL: must be",
    );
    expect(mistakes({ SPEECH_VOICE: "de" })).toBe("");
  });
});
