import { describe, expect, it } from "vitest";
import type { CountedGroup } from "../../../domain/campaign/contacts/contact-groups.ts";
import {
  type CampaignTexts,
  GREETING_BYTES,
  personalTexts,
} from "../../../domain/campaign/texts/personalisation.ts";
import { createPlaceholderCheck } from "../../../domain/campaign/texts/placeholder-check.ts";
import { campaignWarnings, type WarningFacts } from "../../../domain/campaign/warnings/campaign-warnings.ts";
import { parseInstant } from "../../../domain/shared/instant.ts";
import type { JsonObject } from "../../../domain/shared/json.ts";

const TEXTS: CampaignTexts = {
  greetingMessage: "Hello.",
  specialInstructions: null,
  voicemailMessage: null,
  assistant: { greetingMessage: "Hello, this is Ada." },
  placeholders: 3,
};
type Contact = { readonly name: string | null; readonly customData: JsonObject };
const ada: Contact = { name: "Ada", customData: {} };

function found(texts: Partial<CampaignTexts>, contacts: readonly Contact[]) {
  const check = createPlaceholderCheck({ ...TEXTS, ...texts });
  for (const contact of contacts) check.look(contact);
  return check.found();
}

const group = (
  timezone: string | null,
  contacts: number,
  people: CountedGroup["people"] = "zone_unknown",
) => ({
  ...{ timezone, people, contacts },
});

function facts(changes: Partial<WarningFacts> = {}): WarningFacts {
  const now = parseInstant("2026-09-01T10:00:00Z");
  if (now === null) throw new Error("no instant");
  return {
    settings: { timezone: "Europe/Istanbul", window: { start: 9, end: 18 } },
    defaulted: [],
    groups: [group(null, 2)],
    policy: null,
    withoutConsent: 0,
    onLists: 0,
    placeholders: found({}, [ada]),
    badCharacters: 0,
    pricePerMinute: 10_000,
    availableCredits: 20_000,
    now,
    ...changes,
  };
}
const codes = (changes: Partial<WarningFacts>) => campaignWarnings(facts(changes)).map(({ code }) => code);

describe("warnings of a campaign", () => {
  it("are none when everything is given, and sorted by code when there are many", () => {
    expect(campaignWarnings(facts())).toEqual([]);
    const texts = { greetingMessage: "{{name}} {{date", specialInstructions: "{{date}}" };
    const many = {
      settings: { timezone: "Europe/Istanbul", window: null },
      defaulted: ["retryOn", "timezone"],
      placeholders: found(texts, [ada]),
      availableCredits: 0,
    } as const;
    expect(codes(many)).toEqual([
      "credits_short",
      "no_call_window",
      "placeholder_unclosed",
      "placeholder_unfilled",
      "retries_declined",
    ]);
  });

  it("tell that people may be called at any hour: without a window, and with days alone", () => {
    const settings = facts().settings;
    expect(codes({ settings: { ...settings, window: null } })).toEqual(["no_call_window"]);
    expect(codes({ settings: { ...settings, window: { start: 0, end: 0 } } })).toContain("no_call_window");
  });

  it("tell that nobody named the zone of a window, when a contact's own does not take its place", () => {
    const groups = [group(null, 3), group("Asia/Kolkata", 1)];
    const [warning] = campaignWarnings(facts({ defaulted: ["timezone"], groups, availableCredits: 40_000 }));
    expect(warning).toMatchObject({ code: "timezone_defaulted", count: 3, path: ["timezone"] });
    expect(codes({ defaulted: ["timezone"], groups: [group("Asia/Kolkata", 1)] })).toEqual([]);
  });

  it("tell what a minute with everybody takes and what there is, in credits", () => {
    expect(campaignWarnings(facts({ availableCredits: 19_999 }))).toMatchObject([
      { code: "credits_short", count: 2, needed: 2, available: 1.9999 },
    ]);
  });

  it("judge a zone once, in however many spellings it comes", () => {
    const letters = [..."america/argentina/buenos_aires"];
    const groups: CountedGroup[] = [];
    for (let bits = 0; bits < 5_000; bits += 1) {
      const spelled = letters.map((letter, index) => ((bits >> index) & 1 ? letter.toUpperCase() : letter));
      groups.push(group(spelled.join(""), 1));
    }
    const began = performance.now();
    expect(campaignWarnings(facts({ groups, availableCredits: 1_000_000_000 }))).toEqual([]);
    // 16 to 21 s when each spelling was judged by itself.
    expect(performance.now() - began).toBeLessThan(2_000);
  });

  it("count those for whom the window never opens", () => {
    const groups = [group(null, 1), group("Nowhere/Land", 1)];
    expect(campaignWarnings(facts({ groups }))).toMatchObject([{ code: "never_open", count: 1 }]);
  });
});

describe("warnings by the policy", () => {
  const rules = {
    callableHours: null,
    attemptsPerNumber: null,
    oneCallAtATime: true,
    exceptSingleCalls: false,
  };
  const hours = { version: 1, policy: { ...rules, callableHours: { start: 20, end: 22 } } };
  const known = ["Europe/Istanbul"];

  it("count those of no known zone, when a rule asks for it", () => {
    const groups = [group(null, 2), group(null, 3, known)];
    const caps = { version: 1, policy: { ...rules, attemptsPerNumber: { week: 3 } } };
    const credits = 1_000_000;
    expect(campaignWarnings(facts({ groups, policy: caps, availableCredits: credits }))).toMatchObject([
      { code: "policy_zone_unknown", count: 2 },
    ]);
    expect(codes({ groups, policy: { version: 1, policy: rules }, availableCredits: credits })).toEqual([]);
  });

  it("count those without a consent that counts, when the policy asks for one", () => {
    const asking = { version: 1, policy: { ...rules, requireConsent: true as const } };
    expect(campaignWarnings(facts({ withoutConsent: 2, policy: asking }))).toMatchObject([
      { code: "policy_no_consent", count: 2, message: expect.stringContaining("2 contacts") },
    ]);
    expect(codes({ withoutConsent: 0, policy: asking })).toEqual([]);
    expect(codes({ withoutConsent: 2, policy: { version: 1, policy: rules } })).toEqual([]);
    expect(codes({ withoutConsent: 2, policy: null })).toEqual([]);
  });

  it("count those on a list, with a policy and without", () => {
    expect(campaignWarnings(facts({ onLists: 1 }))).toMatchObject([{ code: "policy_on_a_list", count: 1 }]);
  });

  it("tell that the window and the hours are never open together", () => {
    const [warning] = campaignWarnings(facts({ groups: [group(null, 2, known)], policy: hours }));
    expect(warning).toMatchObject({ code: "never_open", count: 2 });
    expect(warning?.message).toContain("callable hours");
  });
});

describe("placeholders", () => {
  it("are named with the number of contacts that have no value for them, or an empty one", () => {
    const placeholders = found(
      { greetingMessage: "{{ Name }}, {{date}}", specialInstructions: "{{city}} {{date}}" },
      [
        ada,
        { name: "Bea", customData: { DATE: "today", city: "" } },
        { name: null, customData: { date: "today", city: "Rome" } },
      ],
    );
    expect(campaignWarnings(facts({ placeholders }))).toEqual([
      {
        code: "placeholder_unfilled",
        message:
          "Nothing is said in place of {{city}} (2 contacts), {{Name}} (1 contact), {{date}} (1 contact)",
        count: 3,
        path: ["greetingMessage"],
        keys: [
          { name: "city", count: 2 },
          { name: "Name", count: 1 },
          { name: "date", count: 1 },
        ],
      },
    ]);
  });

  it("name five at the most, and cut what is long", () => {
    const names = ["a".repeat(100), "b", "c", "d", "e", "f", "g"];
    const greetingMessage = names.map((name) => `{{${name}}}`).join("");
    const [warning] = campaignWarnings(facts({ placeholders: found({ greetingMessage }, [ada]) }));
    expect(warning?.message).toContain(`{{${"a".repeat(40)}}} (1 contact), {{b}}`);
    expect(warning?.message).toMatch(/\{\{e\}\} \(1 contact\) and 2 more$/);
  });

  it.each([
    [{ greetingMessage: null, assistant: { greetingMessage: "{{date}}" } }, ["assistantId"]],
    [{ voicemailMessage: "{{date}}" }, ["assistantId"]],
    [{ specialInstructions: "{{date}}" }, ["specialInstructions"]],
  ])("are told of every text, where it comes from: %j", (texts, path) => {
    expect(found(texts, [ada]).unfilled).toMatchObject({ contacts: 1, path });
  });

  it.each(["{{name", "{{ na{me }}", "a {{name}} b {{"])(
    "that are never closed are told: %s",
    (greetingMessage) => {
      expect(found({ greetingMessage }, []).unclosed).toEqual({ contacts: 0, path: ["greetingMessage"] });
    },
  );
  it.each(["{{{name}}}", "}} {name}", "{{name}}"])("are closed in %s", (greetingMessage) => {
    expect(found({ greetingMessage }, []).unclosed).toBeNull();
  });

  it("are told as left out exactly when the renderer leaves one out", () => {
    const greetingMessage = "{{note}}{{name}}";
    const outcomes = [-1, 0, 1].map((more) => {
      const contact = { name: "Ada", customData: { note: "x".repeat(GREETING_BYTES - 3 + more) } };
      const texts = { ...TEXTS, greetingMessage };
      const rendered = personalTexts(texts, contact);
      const said = rendered.tooLong === null && rendered.leftOut > 0;
      return [said, found({ greetingMessage }, [contact]).tooLong];
    });
    expect(outcomes).toEqual([
      [false, null],
      [false, null],
      [true, { contacts: 1, path: ["greetingMessage"] }],
    ]);
  });

  it("of a campaign that was made by the first rule are judged by it", () => {
    const { placeholders: _, ...first } = TEXTS;
    const check = createPlaceholderCheck({
      ...first,
      greetingMessage: "{{date}}",
      voicemailMessage: "{{date}}",
    });
    check.look({ name: "Ada", customData: { date: "today" } });
    expect(check.found().unfilled).toMatchObject({ names: [{ name: "date", contacts: 1 }] });
  });
});

describe("a form of another program", () => {
  const formIn = (text: string) => found({ greetingMessage: text }, []).otherForm?.form ?? null;

  it.each([
    ["Hello {{{name}}}!", "{{{name}}}"],
    ["Hello {name}!", "{name}"],
    ["Hello %name%!", "%name%"],
    ["Hello {% if name %}", "{% if name %}"],
    ["Hello [[name]]!", "[[name]]"],
    ["Hello <<name>>!", "<<name>>"],
    ["{{name}} of {şehir adı}", "{şehir adı}"],
  ])("%s", (text, form) => {
    expect(formIn(text)).toBe(form);
    const warnings = campaignWarnings(facts({ placeholders: found({ greetingMessage: text }, [ada]) }));
    expect(warnings.filter(({ code }) => code === "placeholder_other_form")).toEqual([
      {
        code: "placeholder_other_form",
        message: `${form} is no placeholder: only {{key}} is filled`,
        path: ["greetingMessage"],
      },
    ]);
  });

  it.each([
    "Hello {{name}}!",
    "{{ name }}{{city}}",
    '{"a": 1}',
    "100% or 50% off",
    "a { b",
    "<b>",
    "[1]",
    "{}",
  ])("is none: %s", (text) => {
    expect(formIn(text)).toBeNull();
  });

  it("is looked for in time that is linear in the text", () => {
    for (const piece of ["{{{", "{%", "[[", "<<a", "{a", "% a"])
      expect(formIn(piece.repeat(10_000))).toBeNull();
  });
});

it("a placeholder with a fallback is not warned of, and its value can still be too long", () => {
  const texts = { placeholders: 3, greetingMessage: "Hi {{name|there}} {{name}}, {{note|none}}" } as const;
  const nobody = { name: null, customData: {} };
  expect(found(texts, [nobody, ada]).unfilled).toMatchObject({
    contacts: 1,
    names: [{ name: "name", contacts: 1 }],
  });
  expect(found({ ...texts, greetingMessage: "{{name|there}}" }, [nobody]).unfilled).toBeNull();
  const long = { ...ada, customData: { note: "x".repeat(4_096) } };
  expect(found({ ...texts, greetingMessage: "{{note|none}}!" }, [nobody, long]).tooLong).toMatchObject({
    contacts: 1,
  });
});

it("a name of blanks is warned of as missing", () => {
  const check = found({ greetingMessage: "Hello {{name}}" }, [{ name: "  ", customData: {} }, ada]);
  expect(check.unfilled).toMatchObject({ contacts: 1, names: [{ name: "name", contacts: 1 }] });
});
