import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelTool } from "../../../application/ports/language-model.ts";
import { answerIn, spokenIntents } from "../../../domain/conversation/intents/spoken-intents.ts";
import type { PhoneNumber } from "../../../domain/shared/phone-number.ts";
import { outcomeOf } from "../../../simulation/callee/outcome.ts";
import { behaviourOf } from "../../../simulation/callee/personas.ts";
import { seededRandom } from "../../../simulation/callee/seeded-random.ts";
import { scriptedReply } from "../../../simulation/model/scripted-reply.ts";

const NO_ARGUMENTS = { type: "object", properties: {}, required: [] };
const END_CALL: ModelTool = { name: "end_call", description: "Ends the call", parameters: NO_ARGUMENTS };
const DATA = '{"appointment_date":"3 March","place":"2 Mill Lane","internal":"gold","call_id":"call_1"}';
const SYSTEM = `You remind people.\n\nFor this call:\nAn appointment.\n\nThe block.\n<data>\n${DATA}\n</data>`;
const GREETING = "Hello Ada, this is Ringfold Dental. Will you come to your appointment?";
const TURKISH = "Merhaba Ada, yarınki randevunuza gelecek misiniz?";

const system: ModelMessage = { role: "system", content: SYSTEM };
const says = (content: string): ModelMessage => ({ role: "user", content });
const said = (content: string): ModelMessage => ({ role: "assistant", content });

function replyTo(messages: readonly ModelMessage[], language: string | null = null, tools = [END_CALL]) {
  return scriptedReply({ messages: [system, ...messages], tools, language }, "1");
}
const answerTo = (words: string, language: string | null = null) =>
  replyTo([said(language === "tr-TR" ? TURKISH : GREETING), says(words)], language).text;

/** Says these lines one after another; all answers. */
function talk(...lines: readonly string[]): { readonly texts: readonly string[]; readonly ended: boolean } {
  const messages: ModelMessage[] = [said(GREETING)];
  const replies = lines.map((line) => {
    messages.push(says(line));
    const reply = replyTo(messages);
    messages.push(said(reply.text));
    return reply;
  });
  return { texts: replies.map(({ text }) => text), ended: replies.at(-1)?.call?.name === "end_call" };
}

describe("an appointment", () => {
  it.each(["Yes, I will be there.", "Sure", "No problem, that works"])("is confirmed: %s", (words) => {
    expect(answerTo(words)).toContain("I will pass on that you are coming.");
  });

  it.each(["No, I will not come.", "I won't be there", "Please cancel it"])("is refused: %s", (words) => {
    expect(answerTo(words)).toContain("I will pass on that you are not coming.");
  });

  it("is moved: the customer's words are passed on, and nothing else is claimed", () => {
    const { texts, ended } = talk("No, can we find another time?", "Thursday after 4", "No, that's all. Bye");
    expect(texts[0]).toMatch(/pass on that another time .* cannot change it myself\. Which day and time/);
    expect(texts[1]).toContain("I will pass that on: “Thursday after 4”");
    expect(texts.join(" ")).not.toMatch(/booked|changed your|have moved|is cancelled/i);
    expect(ended).toBe(true);
  });

  it.each([
    [
      "",
      "I understand. I will pass on that another time suits you better. I cannot change it myself. Which d",
    ],
    ["", "I understand. I will pass on that another time su"],
    ["tr-TR", "Anlıyorum. Başka bir zamanın size daha uygun olduğunu ileteceğim. Ben değiştiremi"],
  ])("is moved by who answers before our question ends (%s): %s", (language, cut) => {
    const spoken = language === "" ? null : language;
    const before = [said(language === "" ? GREETING : TURKISH), says("Another day please"), said(cut)];
    expect(replyTo([...before, says("Friday at 3")], spoken).text).toContain("“Friday at 3”");
  });

  it("stays answered when the customer interrupted our answer", () => {
    const noted = [said(GREETING), says("Yes"), said("Thank you. I will pass on that you are com")];
    expect(replyTo([...noted, says("It is raining here")]).text).not.toContain("Will you come");
    const invited = said("Thank you. I will pass on that you are coming. Is there anything you wo");
    expect(replyTo([said(GREETING), says("Yes"), invited, says("No")]).call?.name).toBe("end_call");
  });

  it("is answered by who interrupts the question itself", () => {
    const cut = said("Hello Ada, this is about your appointment on Monday. Will you co");
    expect(replyTo([cut, says("Yes")]).text).toContain("I will pass on that you are coming.");
  });

  it("is asked about again when the answer was none, and once it is answered no more", () => {
    expect(answerTo("It is raining here")).toMatch(/only note a yes.*Will you come to your appointment\?/);
    const { texts } = talk("Yes", "It is raining here");
    expect(texts[1]).not.toContain("Will you come");
  });

  it("is answered with the language of the assistant, whatever the customer speaks", () => {
    expect(answerTo("Evet, gelirim", "tr-TR")).toContain("Geleceğinizi ileteceğim.");
    expect(answerTo("yes", "tr-TR")).toContain("Geleceğinizi ileteceğim.");
    expect(answerTo("HAYIR, gelemem", "de-DE")).toContain("I will pass on that you are not coming.");
    expect(answerTo("Başka bir gün olur mu", "tr-TR")).toContain("Hangi gün ve saat");
  });
});

describe("a question", () => {
  it("is answered from the data of the call, and from nothing that was not asked for", () => {
    expect(answerTo("When is it?")).toMatch(/It says here: appointment date 3 March\. Will you come/);
    expect(answerTo("Where do I have to go?")).toContain("place 2 Mill Lane.");
    expect(answerTo("Who won the match?")).not.toMatch(/March|Mill|gold|call_1/);
    expect(answerTo("Who won the match?")).toMatch(/pass (it|your question) on/);
  });

  it("is answered also in the last turn, before the goodbye", () => {
    const lines = Array.from({ length: 12 }, () => "Where do I have to go?");
    const { texts } = talk(...lines);
    const last = texts.find((text) => text.includes("oodbye"));
    expect(last).toMatch(/place 2 Mill Lane\. .*oodbye!$/);
  });

  it.each(["Who is this?", "Are you a robot?", "Are you a real person?"])("%s: says what it is", (words) => {
    expect(answerTo(words)).toMatch(/I am a scripted assistant, not a person.*Ringfold Dental/);
  });

  it("for its words again gets them", () => {
    expect(answerTo("Sorry, could you repeat that?")).toBe(`I said: ${GREETING}`);
    const { texts } = talk("Pardon?", "Pardon?");
    expect(texts[1]).toBe(`I said: ${GREETING}`);
  });
});

describe("a wish", () => {
  it("for a person leads to whoever can be reached, else it is passed on", () => {
    const desk = { name: "to_desk", description: "Transfers the call to the desk", parameters: NO_ARGUMENTS };
    const messages = [said(GREETING), says("I want to talk to a person please")];
    expect(replyTo(messages, null, [END_CALL, desk]).call?.name).toBe("to_desk");
    expect(replyTo(messages).text).toContain("pass on that you would like to speak to a person");
  });

  it.each(["Stop calling me", "Take me off your list", "Beni bir daha aramayın"])(
    "for no more calls, where nobody else heard it, ends, and promises none: %s",
    (words) => {
      const { text, call } = replyTo([said(GREETING), says(words)]);
      expect(text).toMatch(/pass on what you said|söylediğinizi ileteceğim/);
      expect(text).not.toMatch(/call|ara/);
      expect(call?.name).toBe("end_call");
    },
  );

  it("for no more calls is heard in the assistant's language, whatever it answers in", () => {
    const german = replyTo([said(GREETING), says("Rufen Sie mich nie wieder an.")], "de-DE");
    expect(german).toMatchObject({ call: { name: "end_call" } });
    expect(german.text).toContain("pass on what you said");
  });

  it.each([
    "Don't call me before five",
    "Please don't call me today",
    "My husband told you to never call again",
    "Beni pazar günleri aramayın",
    "Don't stop calling me",
  ])("for other calls, or another's, is not one for no more: %s", (words) => {
    const { text, call } = replyTo([said(GREETING), says(words)]);
    expect(text).not.toMatch(/pass on that you do not want|aranmak istemediğinizi/);
    expect(call).toBeNull();
  });

  it.each(["Just leave me alone", "Beni rahat bırakın"])(
    "to be left alone ends, and no more: %s",
    (words) => {
      const { text, call } = replyTo([said(GREETING), says(words)]);
      expect(text).not.toMatch(/pass on that you do not want|aranmak istemediğinizi/);
      expect(call?.name).toBe("end_call");
    },
  );

  it("is none in keys that were pressed", () => {
    expect(answerTo("[keys: 12#]")).toContain("I have noted the keys");
  });

  it("of somebody who has no time now is passed on, and who has is asked", () => {
    const greeting = said("Hello, it is about your appointment. Is now a good moment?");
    expect(replyTo([greeting, says("Yes")]).text).toBe("Will you come to your appointment?");
    expect(replyTo([greeting, says("No")])).toMatchObject({ call: { name: "end_call" } });
  });
});

describe("what was meant", () => {
  it("is what the words say where they are no idiom", () => {
    expect(answerIn(spokenIntents("Why not"))).toBe("yes");
    expect(answerIn(spokenIntents("I know nobody there"))).toBeNull();
  });

  it("is looked for in the end of a long turn alone", () => {
    const long = `goodbye ${"and so on ".repeat(2_000)} yes`;
    expect([...spokenIntents(long)]).toEqual(["yes"]);
  });
});

it("of 300 simulated callees who are asked most come, and some want another time or refuse", () => {
  const answers = Array.from({ length: 300 }, (_, number) => {
    const persona = { seed: 7, to: `+1415555${String(number)}`, dialsBefore: 0, outcome: "talks" as const };
    const line = behaviourOf(persona).reacts(0, GREETING, 1);
    return line.kind === "say" ? answerIn(spokenIntents(line.text)) : null;
  });
  const shareOf = (answer: string) => answers.filter((each) => each === answer).length / answers.length;
  expect(shareOf("yes")).toBeGreaterThan(0.5);
  expect(shareOf("another_time")).toBeGreaterThan(0.15);
  expect(shareOf("no")).toBeGreaterThan(0.05);
  expect(shareOf("yes") + shareOf("another_time") + shareOf("no")).toBe(1);
});

it("the callee +15005550016 says yes to every question, and goodbye where it is asked nothing", () => {
  const to = "+15005550016" as PhoneNumber;
  const outcome = outcomeOf(to, 3, seededRandom("1"));
  const callee = behaviourOf({ seed: 7, to, dialsBefore: 3, outcome });
  const answers = [GREETING, "How may I help you?", "Will you pay today?"].map((heard, linesSaid) =>
    callee.reacts(linesSaid, heard, 1),
  );
  for (const answer of answers) {
    expect(answer).toMatchObject({ kind: "say", hangUpMillis: null });
    expect(answer.kind === "say" && answerIn(spokenIntents(answer.text))).toBe("yes");
  }
  expect(callee.reacts(3, "That is done.", 1)).toMatchObject({
    kind: "say",
    hangUpMillis: expect.any(Number),
  });
});
