import { describe, expect, it } from "vitest";
import { parsePhoneNumber } from "../../../domain/shared/phone-number.ts";

describe("a phone number", () => {
  it.each(["+15005550006", "+14155550101", "+905321234567", "+442079460000"])("%s is one", (text) =>
    expect(parsePhoneNumber(text)).toEqual({ ok: true, value: text }),
  );
  it.each([
    "15005550006",
    "+05005550006",
    "+1 500 555 0006",
    "x+15005550006",
    "+15005550006x",
    "+123456",
    "+1234567890123456",
    "",
  ])("%j is not in E.164 form", (text) =>
    expect(parsePhoneNumber(text)).toEqual({ ok: false, reason: "not_e164" }),
  );
  it.each(["+1500555000", "+150055500061", "+90532123456"])(
    "%s has a length that its country does not know",
    (text) => expect(parsePhoneNumber(text)).toEqual({ ok: false, reason: "not_possible" }),
  );
});
