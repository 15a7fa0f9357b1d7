import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../../simulation/drills/eventually.ts";
import { type BrowserWorld, openBrowserWorld, type Visit } from "./browser-world.ts";

describe("what calls need", () => {
  let world: BrowserWorld;
  beforeAll(async () => {
    world = await openBrowserWorld();
  });
  afterAll(() => world.stop());

  const listed = async (path: string) => (await world.service.operator.send("GET", path)).body.data;

  /** No page goes against the rules, in the light and in the dark. */
  async function isClean({ axeInBothLights, complaints }: Visit) {
    expect(await axeInBothLights()).toEqual([]);
    expect(complaints).toEqual([]);
  }

  it("takes a number, and many, onto the list of those not to call, and off it", async () => {
    const visit = await world.visit("/do-not-call");
    const { page, reaches } = visit;
    await reaches("do-not-call", "empty");
    await page.getByTestId("add").click();
    await page.locator('dialog [name="phoneNumber"]').fill("+90 (532) 111 22-33");
    await page.locator('dialog [name="reason"]').fill("Asked us to stop");
    await page.getByTestId("save").click();
    await page.locator('[data-number="+905321112233"]').waitFor();
    await page.getByTestId("paste").click();
    await page.locator('[name="items"]').fill("(+90) 532.111\u00a022‑44, moved\n\n0532\n+905321112233");
    await page.getByTestId("save").click();
    await page
      .locator('[data-testid="report"] [data-count="added"][data-value="1"]')
      .waitFor({ state: "attached" });
    await page.getByTestId("report").getByText("0532").waitFor();
    await page.keyboard.press("Escape");
    await page.locator('[data-number="+905321112244"]').waitFor();
    await page.locator('[data-number="+905321112244"] [data-source="import"]').waitFor();
    await isClean(visit);
    await page.locator('[data-number="+905321112233"] [data-testid="remove"]').click();
    await page.getByTestId("confirm").click();
    await page.locator('[data-number="+905321112233"]').waitFor({ state: "detached" });
    await page.getByTestId("look").click();
    await page.locator('dialog [name="phoneNumber"]').fill("tel:+90 532 111 22 33");
    await page.getByTestId("ask").click();
    const history = page.locator('[data-testid="history"][data-listed="false"]');
    await history.locator('[data-action="removed"]').waitFor();
    await history.locator('[data-action="listed"] [data-source="api"]').waitFor();
    await history.locator('[data-action="listed"]').getByText("Asked us to stop").waitFor();
    expect(await visit.axeInBothLights()).toEqual([]);
    await page.locator('dialog [name="phoneNumber"]').fill("+905321112255");
    await page.getByTestId("ask").click();
    await page.getByTestId("never-listed").waitFor();
    await page.keyboard.press("Escape");
    await page.locator('[data-number="+905321112244"] [data-testid="show-history"]').click();
    await page.locator('[data-testid="history"][data-listed="true"] [data-action="listed"]').waitFor();
    await page.keyboard.press("Escape");
    expect(await listed("/api/v1/suppressions")).toMatchObject([
      { phoneNumber: "+905321112244", reason: "moved" },
    ]);
    await visit.close();
  });

  it("makes a phone number, changes it, and removes it", async () => {
    const visit = await world.visit("/phone-numbers");
    const { page, reaches } = visit;
    await reaches("phone-numbers", "empty");
    await page.getByTestId("add").click();
    await page.locator('dialog [name="phoneNumber"]').fill("nobody");
    await page.getByTestId("save").click();
    await page.locator('dialog [role="alert"]').waitFor();
    await page.locator('dialog [name="phoneNumber"]').fill("+1 (500) 555-0000");
    await page.getByTestId("save").click();
    await reaches("phone-numbers");
    await page.getByText("+15005550000").waitFor();
    await page.getByTestId("change").click();
    await page.locator('dialog [name="label"]').fill("Reception");
    await page.locator('dialog [name="active"]').uncheck();
    await page.getByTestId("save").click();
    await page.getByText("Reception").waitFor();
    expect(await listed("/api/v1/phone-numbers")).toMatchObject([{ label: "Reception", active: false }]);
    await isClean(visit);
    await page.getByTestId("remove").click();
    await page.getByTestId("confirm").click();
    await reaches("phone-numbers", "empty");
    await visit.close();
  });

  it("makes an assistant, publishes it, and shows how its draft differs", async () => {
    const visit = await world.visit("/assistants");
    const { page, reaches } = visit;
    await reaches("assistants", "empty");
    await page.getByTestId("add").click();
    await page.locator('dialog [name="name"]').fill("أدا");
    await page.locator('dialog [name="greetingMessage"]').fill("Hello, this is Ada.");
    await page.locator('dialog [name="systemPrompt"]').fill("Be kind.");
    await page.getByTestId("create").click();
    await reaches("assistant");
    await page.getByTestId("publish").click();
    await page.locator('dialog [data-difference="greetingMessage"]').waitFor();
    await page.getByTestId("confirm").click();
    await page.locator('[data-testid="published"][data-value="1"]').waitFor();
    await page.locator('[name="greetingMessage"]').fill("Good morning, this is Ada.");
    await page.locator('[name="temperature"]').fill("0.4");
    await page.getByTestId("save").click();
    await page.locator('[data-count="differences"][data-value="2"]').waitFor();
    await page.locator('[data-difference="temperature"]').waitFor();
    await isClean(visit);
    await page.getByTestId("publish").click();
    await page.getByTestId("confirm").click();
    await page.locator('[data-testid="published"][data-value="2"]').waitFor();
    await eventually("two versions", async () => {
      const [assistant] = await listed("/api/v1/assistants");
      return assistant.versions === 2 && assistant.greetingMessage === "Good morning, this is Ada.";
    });
    await page.goto("/assistants");
    await reaches("assistants");
    await isClean(visit);
    await visit.close();
  });
});
