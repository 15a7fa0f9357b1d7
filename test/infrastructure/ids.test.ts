import { describe, expect, it } from "vitest";
import { base32OfUuid, newTypeId, systemIds } from "../../infrastructure/ids.ts";

describe("ids", () => {
  it("encode a UUID as the TypeID specification's own examples do", () => {
    const text = (uuid: string) => base32OfUuid(Buffer.from(uuid.replaceAll("-", ""), "hex"));
    expect(text("00000000-0000-0000-0000-000000000000")).toBe("00000000000000000000000000");
    expect(text("0110c853-1d09-52d8-d73e-1194e95b5f19")).toBe("0123456789abcdefghjkmnpqrs");
    expect(text("ffffffff-ffff-ffff-ffff-ffffffffffff")).toBe("7zzzzzzzzzzzzzzzzzzzzzzzzz");
  });

  it("sort by creation", () => {
    const made = Array.from({ length: 2_000 }, () => newTypeId("call"));
    expect([...made].sort()).toEqual(made);
    expect(new Set(made).size).toBe(2_000);
  });

  it("derive the same UUID from the same text, another from another", () => {
    expect(systemIds.derivedUuid("call_1:call.ended")).toBe(systemIds.derivedUuid("call_1:call.ended"));
    expect(systemIds.derivedUuid("call_1:call.ended")).not.toBe(systemIds.derivedUuid("call_1:call.started"));
  });
});
