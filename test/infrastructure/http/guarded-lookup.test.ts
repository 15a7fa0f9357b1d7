import { expect, it } from "vitest";
import { addressPolicy } from "../../../infrastructure/http/address-guard.ts";
import { guardedLookup } from "../../../infrastructure/http/guarded-lookup.ts";

const asked = (addresses: readonly string[], protocol: "http:" | "https:", opened: readonly string[] = []) =>
  new Promise<unknown>((resolve) => {
    const lookup = guardedLookup({ policy: addressPolicy(opened), resolve: async () => addresses }, protocol);
    lookup("asterisk.example", { all: true }, (error, found) => resolve(error === null ? found : error.name));
  });

it("gives out public addresses for TLS, and opened ones without", async () => {
  expect(await asked(["93.184.216.34"], "https:")).toEqual([{ address: "93.184.216.34", family: 4 }]);
  expect(await asked(["10.0.0.7"], "http:", ["10.0.0.0/8"])).toEqual([{ address: "10.0.0.7", family: 4 }]);
});

it("gives out nothing when one of the addresses is not allowed", async () => {
  expect(await asked(["93.184.216.34", "127.0.0.1"], "https:")).toBe("AddressNotAllowed");
  expect(await asked(["93.184.216.34"], "http:")).toBe("AddressNotAllowed");
});
