import { describe, expect, it } from "vitest";
import type { ModelMessage, ModelTool } from "../../../application/ports/language-model.ts";
import { scriptedReply } from "../../../simulation/model/scripted-reply.ts";

const NO_ARGUMENTS = { type: "object", properties: {}, required: [] };
const END_CALL: ModelTool = { name: "end_call", description: "Ends the call", parameters: NO_ARGUMENTS };

function tool(name: string, description: string, ...required: string[]): ModelTool {
  const properties = Object.fromEntries(required.map((field) => [field, { type: "string" }]));
  return { name, description, parameters: { type: "object", properties, required } };
}

const ORDER = tool("check_order", "Looks up where an order is", "orderId");
const BILLING = tool("transfer_to_billing", "Hands over to billing: invoices and payments");
const APPOINTMENT = tool("book_appointment", "Randevu oluşturur", "day");

const system: ModelMessage = { role: "system", content: "Be friendly." };
const says = (content: string): ModelMessage => ({ role: "user", content });
const said = (content: string): ModelMessage => ({ role: "assistant", content });

function replyTo(messages: readonly ModelMessage[], tools: readonly ModelTool[] = [END_CALL], seed = "1") {
  return scriptedReply({ messages: [system, ...messages], tools }, seed);
}

const answeredBy = (name: string, content: string): ModelMessage[] => [
  { role: "assistant", content: "", toolCalls: [{ id: "1", name, arguments: "{}" }] },
  { role: "tool", toolCallId: "1", content },
];

describe("a function", () => {
  it("is called when the customer's words share a word with its description, filled from the numbers", () => {
    const { call } = replyTo([says("Where are my orders, number 4711?")], [END_CALL, ORDER, BILLING]);
    expect(call).toEqual({ name: "check_order", arguments: { orderId: "4711" } });
  });

  it("is filled from telling words when there is no number, not from those that name it", () => {
    const { call } = replyTo(
      [says("Please book an appointment on Friday")],
      [tool("book_appointment", "Books an appointment", "day")],
    );
    expect(call).toEqual({ name: "book_appointment", arguments: { day: "friday" } });
  });

  it("that cannot be filled is passed over for one that can", () => {
    const other = tool("order_help", "Explains how an order is placed");
    expect(replyTo([says("What about my order?")], [ORDER, other]).call).toEqual({
      name: "order_help",
      arguments: {},
    });
    expect(replyTo([says("What about my order?")], [ORDER]).call).toBeNull();
  });

  it("is understood with Turkish endings", () => {
    const { call } = replyTo([says("Salı günü için randevumu ayarlar mısınız?")], [APPOINTMENT]);
    expect(call).toEqual({ name: "book_appointment", arguments: { day: "salı" } });
  });

  it("takes whole numbers and words of a list by their types", () => {
    const parameters = {
      type: "object",
      properties: {
        guests: { type: "integer" },
        meal: { enum: ["lunch", "dinner"] },
        note: { type: "string" },
      },
      required: ["guests", "meal"],
    };
    const table = { name: "reserve_table", description: "Reserves a table", parameters };
    expect(replyTo([says("A table for 4 at dinner")], [table]).call?.arguments).toEqual({
      guests: 4,
      meal: "dinner",
    });
  });

  it("is not called again in the turn that it was called in, nor is the call ended by its words", () => {
    const messages = [says("Where is my order 4711? Goodbye"), ...answeredBy("check_order", "200\n{}")];
    expect(replyTo(messages, [END_CALL, ORDER]).call).toBeNull();
  });

  it("that hands over needs no number", () => {
    expect(replyTo([says("I have a question about a payment")], [ORDER, BILLING]).call?.name).toBe(
      "transfer_to_billing",
    );
  });
});

describe("an answer of a tool", () => {
  const tools = [END_CALL, ORDER];
  const answerTo = (content: string) =>
    replyTo([says("Where is order 4711?"), ...answeredBy("check_order", content)], tools);

  it("is told in the next sentence", () => {
    expect(answerTo('200\n{"order":{"state":"shipped","estimatedArrival":"Friday"}}').text).toContain(
      "state shipped, estimated arrival Friday.",
    );
    expect(answerTo("200\nIt is on its way.").text).toContain("It is on its way.");
    expect(answerTo('[{"state":"packed"},{"state":"lost"}]').text).toContain("state packed.");
  });

  it.each(["404\n{}", "500\nbroken", "Error: no such order", '200\n{"error":"no such order"}'])(
    "that went wrong is apologised for: %s",
    (content) => {
      expect(answerTo(content).text).toMatch(/sorry|apologise/);
      expect(answerTo(content).text).not.toMatch(/broken|no such/);
    },
  );

  it("of a function that is not offered is a handoff: the new one offers help", () => {
    const messages = [says("a payment please"), ...answeredBy("transfer_to_billing", "handed over")];
    expect(replyTo(messages, [END_CALL]).text).toMatch(/How may I help|What can I do/);
  });
});

describe("the end", () => {
  it.each(["Goodbye", "No, that's all, thank you", "Thanks", "Hoşça kalın", "Teşekkür ederim", "İyi günler"])(
    "comes with a goodbye: %s",
    (words) => {
      const { text, call } = replyTo([says(words)]);
      expect(text).toMatch(/goodbye|hoşça kalın/i);
      expect(call).toEqual({ name: "end_call", arguments: {} });
    },
  );

  it("comes by the tool that ends the call, whatever its name is", () => {
    const hangUp = tool("say_farewell", "Ends the call when the customer wants no more");
    expect(replyTo([says("Goodbye")], [ORDER, hangUp]).call?.name).toBe("say_farewell");
  });

  it("does not come when somebody thanks and asks", () => {
    expect(replyTo([says("Thanks, and where is order 4711?")], [END_CALL, ORDER]).call?.name).toBe(
      "check_order",
    );
    expect(replyTo([says("Thanks, and where are you?")]).call).toBeNull();
  });

  it("comes by itself after five to seven turns", () => {
    for (const seed of ["1", "2", "3", "4", "5", "6"]) {
      const messages: ModelMessage[] = [];
      let turns = 0;
      while (turns < 20) {
        messages.push(says("It is warm outside"));
        turns += 1;
        const { text, call } = replyTo(messages, [END_CALL], seed);
        if (call !== null) break;
        messages.push(said(text));
      }
      expect(turns).toBeGreaterThanOrEqual(5);
      expect(turns).toBeLessThanOrEqual(7);
    }
  });
});

describe("what it says", () => {
  it("is in the language of the customer, else of what was said to them", () => {
    expect(replyTo([says("Kargom nerede kaldı?")]).text).toMatch(/[ığşü]/);
    expect(replyTo([said("Merhaba, nasıl yardımcı olabilirim?"), says("Ankara")]).text).toMatch(/[ığşü]/);
    expect(
      replyTo([said("Merhaba, nasıl yardımcı olabilirim?"), says("Do you speak English?")]).text,
    ).toMatch(/^[\x20-\x7e]+$/);
  });

  it("is the same for the same seed, and differs between seeds and from turn to turn", () => {
    const one = [says("I live in a house")];
    const two = [...one, said("I see."), says("It is old")];
    expect(replyTo(one)).toEqual(replyTo(one));
    expect(replyTo(one).text).not.toBe(replyTo(two).text);
    const texts = ["1", "2", "3", "4", "5", "6"].map((seed) => replyTo(one, [], seed).text);
    expect(new Set(texts).size).toBeGreaterThan(2);
  });

  it("offers help where nobody has said anything", () => {
    expect(replyTo([]).text).toMatch(/How may I help|What can I do/);
  });

  it("goes on after words that went out before the stream broke", () => {
    expect(replyTo([says("Thanks"), said("Thank you")])).toMatchObject({ call: null });
  });
});

describe("another time", () => {
  const later = tool("call_back_later", "Agrees when the customer is called again", "at");
  const zone = "It is Friday 2026-11-27 23:58 where the customer is (Europe/Istanbul).";
  const asked = (
    words: string,
    tools: readonly ModelTool[] = [END_CALL, later],
    about = zone,
    greeting = "Hello.",
  ) =>
    scriptedReply({ messages: [{ role: "system", content: about }, said(greeting), says(words)], tools }, "1")
      .call;
  const at = (text: string) => ({ name: "call_back_later", arguments: { at: text } });

  it("that can be read is asked of the function, by the clock of the customer", () => {
    expect(asked("I cannot talk now. Please call me again in two minutes.")).toEqual(at("2026-11-28T00:00"));
    expect(asked("Could you call me in 3 hours?")).toEqual(at("2026-11-28T02:58"));
    expect(asked("Call me tomorrow at ten, please.")).toEqual(at("2026-11-28T10:00"));
    expect(asked("Call me tomorrow at 4:30 p.m.")).toEqual(at("2026-11-28T16:30"));
    expect(asked("Beni beş dakika sonra arayın.")).toEqual(at("2026-11-28T00:03"));
    const utc = 'Be kind. <data>{"now":"2026-11-27T10:00:30.000Z"}</data>';
    expect(asked("Call me in two minutes.", [END_CALL, later], utc)).toEqual(at("2026-11-27T10:02"));
  });

  it.each([
    ["Call me on Tuesday at ten.", "2026-12-01T10:00"],
    ["Please call again, Monday at 9:15 a.m.", "2026-11-30T09:15"],
    ["Could you ring me at four p.m. on saturday?", "2026-11-28T16:00"],
    ["Call me on Friday at eleven.", "2026-12-04T11:00"],
    ["Call me tomorrow, Saturday, at ten.", "2026-11-28T10:00"],
    ["Beni salı saat onda arayın.", "2026-12-01T10:00"],
    ["SALI GÜNÜ SAAT ON BİRDE arayın", "2026-12-01T11:00"],
    ["Salı günü saat on birde arayın", "2026-12-01T11:00"],
    ["Beni pazartesi saat 10.30'da arayın", "2026-11-30T10:30"],
    ["PAZARTESİ saat 14:00'te arayın", "2026-11-30T14:00"],
    ["Cumaya saat üçte arar mısınız", "2026-12-04T03:00"],
    ["Pazar günü saat oniki arayın", "2026-11-29T12:00"],
    ["Call me on Tuesday.", null],
    ["Call me on Monday or Tuesday at ten.", null],
    ["Call me tomorrow or on Monday at ten.", null],
    ["Call me on Tuesday at ten thirty.", null],
    ["Call me on Tuesday at seventeen.", null],
    ["Beni salı saat on buçukta arayın", null],
    ["Beni pazarlama için saat onda arayın", null],
    ["Don't call me on Tuesday at ten.", null],
    ["Beni salı saat onda aramayın", null],
  ])("by the name of its day: %s", (words, wanted) => {
    const call = asked(words);
    if (wanted === null) expect(call?.name).not.toBe("call_back_later");
    else expect(call).toEqual(at(wanted));
  });

  it("is never asked where it cannot be read, is not wanted, or is not offered", () => {
    expect(asked("Call me again some day.")?.name).not.toBe("call_back_later");
    expect(asked("My order comes in two days.")?.name).not.toBe("call_back_later");
    expect(asked("It is due in two minutes.")?.name).not.toBe("call_back_later");
    expect(asked("Call me in two minutes.", [END_CALL])?.name).not.toBe("call_back_later");
  });

  it("is that of the appointment where one is talked about, unless they speak of a call", () => {
    const reminded = (words: string) =>
      asked(words, [END_CALL, later], zone, "Hello, will you come to your appointment?");
    expect(reminded("Can we move it to Monday at ten?")?.name).not.toBe("call_back_later");
    expect(reminded("Can you call me on Monday at ten?")).toEqual(at("2026-11-30T10:00"));
    expect(asked("Could we do this another time? Monday at ten.")).toEqual(at("2026-11-30T10:00"));
  });

  it("is promised as the function answered, and not otherwise", () => {
    const answered = (shown: string) =>
      replyTo([says("Call me in two minutes."), ...answeredBy("call_back_later", shown)], [END_CALL, later]);
    const agreed = answered(
      "Agreed: the call is made on Friday 2026-11-27 10:02 (Europe/London), unless the campaign is changed.",
    );
    expect(agreed.text).toMatch(/^We will call you again, unless our plans change, on 2026-11-27 10:02\. /);
    expect(agreed.call?.name).toBe("end_call");
    expect(answered("Noted: 2026-11-27T10:02. No call is made by itself.").text).toBe(
      "I have noted when you would like to be called. I cannot promise a call. Goodbye!",
    );
    expect(answered("Not agreed. Too many calls were agreed with this customer already.").text).toBe(
      "I am sorry, no call can be agreed for that time. Goodbye!",
    );
  });
});
