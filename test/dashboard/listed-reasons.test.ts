import { expect, it } from "vitest";
import { ASKED_ON_THE_CALL, CALL_NOT_READABLE } from "../../application/suppression/listing.ts";
import { en } from "../../dashboard/src/pages/do-not-call/en.ts";

it("the dashboard knows by their words the reasons that the service writes itself", () => {
  expect([en["reason.asked"], en["reason.unreadable"]]).toEqual([ASKED_ON_THE_CALL, CALL_NOT_READABLE]);
});
