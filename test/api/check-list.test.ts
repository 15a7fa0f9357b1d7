import { fc, test } from "@fast-check/vitest";
import { describe, expect, it } from "vitest";
import { type CheckedBody, checkJson } from "../../api/body/check-json.ts";
import { checkList } from "../../api/body/check-list.ts";
import { longLists } from "../../api/body-checks/body-schemas.ts";
import { campaignImportRoutes } from "../../contract/campaign-import.ts";

const list = longLists["createCampaign"];

/** Both checks of the same text; `items` null: left to the whole one. */
function both(text: string) {
  if (list === undefined) throw new Error("no such list");
  const bytes = new TextEncoder().encode(text);
  const items: unknown[] = [];
  const checked = checkList(bytes, list, (item) => items.push(item));
  return {
    whole: comparable(checkJson(bytes, campaignImportRoutes.createCampaign.body)),
    items: withItems(checked, items),
  };
}

function withItems(checked: CheckedBody | null, items: readonly unknown[]): unknown {
  if (checked === null) return null;
  return comparable(
    checked.ok ? { ok: true, value: Object.assign({}, checked.value, { contacts: items }) } : checked,
  );
}

/** The order of problems is no promise. */
function comparable(checked: CheckedBody): unknown {
  if (checked.ok || checked.kind !== "invalid") return checked;
  return { ...checked, details: checked.details.map((detail) => JSON.stringify(detail)).toSorted() };
}

const settings = { name: "c", phoneNumberId: "p", assistantId: "a" };
const good = { phoneNumber: "+15005550006", customData: { text: '}],{"\\ ş😀', list: [[{}]] } };

describe("a list that is checked item by item", () => {
  it("is the same list", () => {
    for (const indent of [0, 2]) {
      const { whole, items } = both(JSON.stringify({ ...settings, contacts: [good, good] }, null, indent));
      expect(items).toEqual(whole);
      expect(items).toMatchObject({ ok: true, value: { contacts: [good, good] } });
    }
  });

  it("tells the same problems", () => {
    const contacts = [good, {}, { ...good, nmae: 1 }, { phoneNumber: "\u0000" }];
    const { whole, items } = both(JSON.stringify({ contacts, maxRetires: 1 }));
    expect(items).toEqual(whole);
  });

  it("leaves to the whole check what is not so simple", () => {
    const contact = JSON.stringify(good);
    for (const text of [
      `{"contacts":[${contact}],"contacts":[${contact}]}`,
      `{"cont\\u0061cts":[${contact}]}`,
      `{"contacts":[${contact} ${contact}]}`,
      `{"contacts":[${contact},]}`,
      `{"contacts":[{]}]}`,
      `{"contacts":[${contact},1]}`,
      `{"contacts":{"contacts":[${contact}]}}`,
      `[{"contacts":[${contact}]}]`,
      `{"contacts":[${contact}`,
    ]) {
      expect(both(text).items).toBeNull();
    }
  });

  const contact = fc.oneof(
    fc.record({ phoneNumber: fc.string(), name: fc.string({ unit: "binary" }) }, { requiredKeys: [] }),
    fc.record({ phoneNumber: fc.constant("+15005550006"), customData: fc.jsonValue({ maxDepth: 3 }) }),
    fc.dictionary(fc.string(), fc.jsonValue()),
  );
  const body = fc.record({
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, fc.constant(value)])),
    greetingMessage: fc.oneof(fc.string(), fc.constant('"contacts":[{')),
    contacts: fc.array(contact, { minLength: 1, maxLength: 5 }),
  });

  test.prop([body, fc.nat(4)])("answers as the whole check does, whatever stands in it", (value, indent) => {
    const { whole, items } = both(JSON.stringify(value, null, indent));
    expect(items ?? whole).toEqual(whole);
  });

  test.prop([body, fc.nat(), fc.nat(3)])(
    "takes nothing that the whole check refuses",
    (value, place, count) => {
      const text = JSON.stringify(value);
      const at = place % text.length;
      const { whole, items } = both(text.slice(0, at) + text.slice(at + count));
      expect(items ?? whole).toEqual(whole);
    },
  );
});
