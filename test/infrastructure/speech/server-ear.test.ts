import { afterEach, describe, expect, it } from "vitest";
import type { SpeechHeard } from "../../../application/ports/speech.ts";
import { wavHeader } from "../../../infrastructure/speech/pcm.ts";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { type SpeechAnswer, transcript } from "../../support/speech/fake-speech-server.ts";
import { framesOf, joined, silence, speech } from "../../support/speech/sounds.ts";
import { KEY, type SpeechOverFake, speechOverFake } from "../../support/speech/speech-over-fake.ts";

let open: SpeechOverFake | null = null;
afterEach(() => open?.close());

const utterance = (millis: number) => joined(speech(millis, -20), silence(700));

async function hears(
  sound: Uint8Array,
  answers: readonly SpeechAnswer[],
  { language = "de-AT" as string | null, endSilenceMillis = 500 } = {},
) {
  const over = await speechOverFake(
    (_asked, count) => answers[Math.min(count, answers.length) - 1] ?? transcript({}),
  );
  open = over;
  const told: string[] = [];
  const heard: SpeechHeard = {
    started: () => told.push("started"),
    said: (text, spoken, final) => told.push(`said ${text} (${spoken})${final ? "" : " …"}`),
    failed: (cause) => told.push(`failed ${cause}`),
  };
  const ear = over.ear.listen({ language, endSilenceMillis }, heard);
  for (const frame of framesOf(sound)) ear.push(frame);
  return { over, told, ear };
}

const ends = (told: readonly string[], count: number) =>
  eventually(`${count} tellings`, () => told.length >= count, 10_000);

/** The parts of a multipart body, as text. */
const partsOf = (body: Buffer) => body.toString("latin1");

describe("the ear of a speech server", () => {
  it("has an utterance written down", async () => {
    const { over, told } = await hears(joined(silence(300), utterance(1_200)), [
      transcript({ text: " Guten Tag. ", language: "german" }),
    ]);
    await ends(told, 2);
    expect(told).toEqual(["started", "said  Guten Tag.  (null)"]);
    const [asked] = over.server.asked;
    expect(asked?.path).toBe("/v1/audio/transcriptions");
    expect(asked?.headers["authorization"]).toBe(`Bearer ${KEY}`);
    const form = partsOf(asked?.body ?? Buffer.alloc(0));
    expect(form).toMatch(/name="model"\r\n\r\nwhisper-1\r\n/);
    expect(form).toMatch(/name="language"\r\n\r\nde\r\n/);
    const wav = (asked?.body ?? Buffer.alloc(0)).subarray(form.indexOf("RIFF"));
    expect(wavHeader(wav)).toEqual({ rate: 8_000, from: 44 });
    const seconds = wav.readUInt32LE(40) / 16_000;
    // 300 ms of lead, 1.2 s of speech, 300 ms of the silence behind it.
    expect(seconds).toBeGreaterThan(1.6);
    expect(seconds).toBeLessThan(1.95);
    expect(over.counted()).toEqual(["recogniser ok"]);
  });

  it("makes words storable", async () => {
    const { told } = await hears(utterance(600), [transcript({ text: "hello \ud83d\u0000" })]);
    await ends(told, 2);
    expect(told[1]).toBe("said hello \ufffd\ufffd (null)");
  });

  it("tells in the order of speaking, however long each takes", async () => {
    const answers = [transcript({ text: "first" }), transcript({ text: "second", language: "en" })];
    const { told } = await hears(joined(utterance(800), utterance(800)), answers, { language: null });
    await ends(told, 4);
    expect(told.filter((each) => each !== "started")).toEqual(["said first (null)", "said second (en)"]);
  });

  it("writes down whoever does not stop in parts of half a minute", async () => {
    const { told } = await hears(joined(speech(40_000, -20), silence(700)), [transcript({ text: "and" })]);
    await ends(told, 3);
    expect(told).toEqual(["started", "said and (null) …", "said and (null)"]);
  });

  it.each([429, 503])("asks once more after a %i", async (status) => {
    const { told, over } = await hears(utterance(600), [
      { kind: "status", status },
      transcript({ text: "yes" }),
    ]);
    await ends(told, 2);
    expect(told[1]).toBe("said yes (null)");
    expect(over.counted()).toEqual(["recogniser retried"]);
  });

  it.each([
    ["refuses the key", { kind: "status", status: 401 }, 1],
    ["status 500", { kind: "status", status: 500 }, 2],
    ["no answer", { kind: "document", contentType: "application/json", body: '{"error":"sk-secret"}' }, 1],
    ["no answer", { kind: "document", contentType: "application/json", body: "{not json sk-secret" }, 1],
    ["no answer", { kind: "document", contentType: "text/html", body: "x".repeat(70_000) }, 1],
  ] as const)("loses the words, and says so, when it %s", async (why, answer, asked) => {
    const { told, over } = await hears(utterance(600), [answer]);
    await ends(told, 2);
    expect(told[1]).toMatch(/^failed /);
    expect(told[1]).toContain(why);
    expect(told[1]).not.toContain("secret");
    expect(over.server.asked).toHaveLength(asked);
    expect(over.counted()).toEqual(["recogniser failed"]);
  });

  it("tells nothing after its end, and lets the server go", async () => {
    const { told, over, ear } = await hears(utterance(600), [{ kind: "silent" }]);
    await eventually("the request", () => over.server.asked.length === 1, 10_000);
    ear.close();
    await over.server.asked[0]?.leftByClient;
    expect(told).toEqual(["started"]);
  });

  it("loses what is said while it is three utterances behind", async () => {
    const { told } = await hears(joined(...Array.from({ length: 5 }, () => utterance(400))), [
      { kind: "silent" },
    ]);
    await ends(
      told.filter((each) => each.includes("too far behind")),
      2,
    );
  });
});
