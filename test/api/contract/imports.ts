import { beforeAll, describe, expect, it } from "vitest";
import type { ApiUser, Wire } from "../support/api-user.ts";
import type { TestService } from "../support/service.ts";
import { type Callable, callable, campaignBody, made } from "../support/things.ts";

const IMPORT = "/api/v1/campaigns/import";

/** docs/api.md §5 and §12: files of contacts, as they come and as they go. */
export function imports(service: () => TestService): void {
  describe("files of contacts", () => {
    let user: ApiUser;
    let ready: Callable;
    beforeAll(async () => {
      user = await service().newOwner();
      ready = await callable(user);
    });
    const settingsOf = (name: string, changes: object = {}) => JSON.stringify({ name, ...ready, ...changes });
    const sendFile = (
      settings: string,
      raw: string,
      options: { readonly query?: string; readonly key?: string; readonly accept?: string } = {},
    ) => {
      const { query = "", key, accept } = options;
      const keyed = key === undefined ? {} : { "idempotency-key": key };
      const accepting = accept === undefined ? {} : { accept };
      const headers = { "content-type": "text/csv", ...keyed, ...accepting };
      return user.send("POST", `${IMPORT}?settings=${encodeURIComponent(settings)}${query}`, {
        raw,
        headers,
      });
    };
    const sendForm = (...parts: readonly (readonly [string, string | Blob])[]) => {
      const form = new FormData();
      for (const [name, value] of parts) form.append(name, value);
      return user.send("POST", IMPORT, { raw: form });
    };
    const file = new Blob(["phone\n+15005550006"]);

    it("are another request with other settings under the same Idempotency-Key", async () => {
      const first = await sendFile(settingsOf("One"), "phone\n+15005550006", { key: "file-1" });
      const again = await sendFile(settingsOf("One"), "phone\n+15005550006", { key: "file-1" });
      expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
      const other = await sendFile(settingsOf("Two"), "phone\n+15005550006", { key: "file-1" });
      expect([other.status, other.body.error.code]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    });

    it("come with settings of the type application/json, with a file name or without", async () => {
      const named = await sendForm(
        ["settings", new Blob([settingsOf("Typed")], { type: "application/json" })],
        ["file", file],
      );
      expect([named.status, named.body.data?.campaign.name]).toEqual([201, "Typed"]);
      const part = (head: string, body: string) =>
        `--line\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
      const typed = 'name="settings"\r\nContent-Type: application/json; charset=utf-8';
      const raw = `${part(typed, settingsOf("Curl"))}${part('name="file"; filename="a.csv"', "phone\n+15005550006")}--line--\r\n`;
      const headers = { "content-type": "multipart/form-data; boundary=line" };
      const plain = await user.send("POST", IMPORT, { raw, headers });
      expect([plain.status, plain.body.data?.campaign.name]).toEqual([201, "Curl"]);
      const malformed = await user.send("POST", IMPORT, { raw: raw.replace('{"name"', '{"name'), headers });
      expect([malformed.status, malformed.body.error.details[0].path]).toEqual([400, ["settings"]]);
    });

    it.each([
      ["unknown", "notes"],
      ["repeated", "settings"],
      ["repeated", "file"],
    ])("are refused when a part of the form is %s: %s", async (_what, name) => {
      const value = name === "file" ? new Blob(["phone\n+15005550007"]) : settingsOf("Again");
      const answer = await sendForm(["settings", settingsOf("Parts")], ["file", file], [name, value]);
      expect([answer.status, answer.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(answer.body.error.details.map(({ path }: Wire) => path)).toEqual([[name]]);
    });

    it("are reported by a dry run also when nobody is left to call", async () => {
      const dry = await sendFile(settingsOf("Nobody"), "phone\n123\n+1", { query: "&dryRun=true" });
      expect(dry.status).toBe(200);
      expect(dry.body.data).toMatchObject({ totalContacts: 0, rejectedContacts: { count: 2 } });
    });

    it("may have more than 10,000 rows, but no more than 10,000 accepted contacts", async () => {
      const numbers = Array.from({ length: 9_900 }, (_, index) => `+1415${5_550_000 + index}`);
      const rejected = Array.from({ length: 600 }, (_, index) => `0${index}`);
      const query = "&dryRun=true";
      const dry = await sendFile(settingsOf("Many"), ["phone", ...rejected, ...numbers].join("\n"), {
        query,
      });
      expect(dry.body.data).toMatchObject({ totalContacts: 9_900, rejectedContacts: { count: 600 } });
      expect(dry.body.data.rejectedContacts.items).toHaveLength(100);
      const twice = ["phone", ...numbers, ...numbers].join("\n");
      const once = await sendFile(settingsOf("Once", { skipDuplicates: true }), twice, { query });
      expect(once.body.data).toMatchObject({
        totalContacts: 9_900,
        rejectedContacts: { count: 9_900 },
        duplicateContacts: { count: 9_900 },
      });
      const tooMany = await sendFile(settingsOf("Too many"), twice, { query });
      expect([tooMany.status, tooMany.body.error.details[0].path]).toEqual([400, ["file"]]);
    });

    const LONG = "x".repeat(12_000);
    const instructed = (name: string, changes: object = {}) =>
      settingsOf(name, { specialInstructions: "{{note}}".repeat(3), ...changes });

    it("keep of a repeated number the first row whose texts can be said, as a body of JSON does", async () => {
      const rows = `phone,note\n+15005550006,${LONG}\n+15005550006,${LONG}\n+15005550006,short\n+15005550006,late`;
      const answer = await sendFile(instructed("Skipped", { skipDuplicates: true }), rows);
      expect(answer.status).toBe(201);
      const { campaign, rejectedContacts } = answer.body.data;
      expect(campaign.totalContacts).toBe(1);
      expect(rejectedContacts.items.map(({ index, reason }: Wire) => [index, reason])).toEqual([
        [0, "text_too_long"],
        [1, "duplicate"],
        [3, "duplicate"],
      ]);
      const { body } = await user.send("GET", `/api/v1/campaigns/${campaign.id}/contacts`);
      expect(body.data.map(({ customData }: Wire) => customData.note)).toEqual(["short"]);
    });

    it("count against the 10,000 only contacts whose texts can be said", async () => {
      const long = Array.from({ length: 100 }, () => `+15005550006,${LONG}`);
      const short = Array.from({ length: 9_950 }, () => "+15005550006,short");
      const fits = ["phone,note", ...long, ...short];
      const query = "&dryRun=true";
      const dry = await sendFile(instructed("Fits"), fits.join("\n"), { query });
      expect(dry.body.data).toMatchObject({ totalContacts: 9_950, rejectedContacts: { count: 100 } });
      const tooMany = [...fits, ...short.slice(0, 51)].join("\n");
      for (const options of [{ query }, {}]) {
        const answer = await sendFile(instructed("Too many"), tooMany, options);
        expect([answer.status, answer.body.error.details]).toEqual([
          400,
          [{ path: ["file"], message: "Holds more than 10,000 contacts" }],
        ]);
      }
    });

    it("are read with columns and a country of their settings; what was read differently is told", async () => {
      const columns = { phone: "Cep", name: "Kim", timezone: "Zone", externalId: "No" };
      const rows = [
        "Cep;Kim;Zone;No",
        "0532 111 22 33;Ayşe;Asia/Kolkata;7",
        "+905321112234;Ali;;8",
        "9.05E+11;Can;;9",
        "+90 532 111 22 33;Ece;Nowhere;10",
        "905321112233;Eda;;11",
      ].join("\n");
      const settings = settingsOf("Columns", { columns, defaultCountry: "TR", skipDuplicates: true });
      const normalized = { count: 1, items: [{ line: 2, from: "0532 111 22 33", to: "+905321112233" }] };
      const rejected = [
        [4, "spreadsheet_number"],
        [5, "bad_timezone"],
        [6, "duplicate"],
      ];
      for (const query of ["&dryRun=true", ""]) {
        const { body } = await sendFile(settings, rows, { query });
        expect(body.data.normalized).toEqual(normalized);
        expect(body.data.rejectedContacts.items.map(({ line, reason }: Wire) => [line, reason])).toEqual(
          rejected,
        );
        expect(body.data.warnings.map(({ code }: Wire) => code)).toContain("retries_declined");
        if (query !== "") continue;
        const contacts = await user.send("GET", `/api/v1/campaigns/${body.data.campaign.id}/contacts`);
        expect(contacts.body.data).toMatchObject([
          { phoneNumber: "+905321112233", name: "Ayşe", timezone: "Asia/Kolkata", externalId: "7" },
          { phoneNumber: "+905321112234", name: "Ali", timezone: null, customData: { Zone: "", No: "8" } },
        ]);
      }
    });

    it.each([
      [{ columns: { phone: "Cep" } }, ["settings", "columns", "phone"]],
      [{ columns: { mobile: "phone" } }, ["settings", "columns", "mobile"]],
      [{ defaultCountry: "XX" }, ["settings", "defaultCountry"]],
      [{ defaultCountry: "Turkey" }, ["settings", "defaultCountry"]],
    ])("are refused with settings that fit no file: %j", async (changes, path) => {
      const answer = await sendFile(settingsOf("Wrong", changes), "phone\n+15005550006");
      expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
    });

    it("name every rejected row of a trial when they are asked for, also as a file that a spreadsheet can open", async () => {
      const rows = Array.from({ length: 120 }, (_, index) => `0${index},"=1;""${index}"""`);
      const text = ["phone,note", ...rows, "+15005550006,fine", `+15005550007,${"x".repeat(12_000)}`].join(
        "\n",
      );
      const settings = settingsOf("All", { specialInstructions: "{{note}}".repeat(3) });
      const query = "&dryRun=true&rejected=all";
      const all = await sendFile(settings, text, { query });
      expect(all.body.data.rejectedContacts.items).toHaveLength(121);
      const file = await sendFile(settings, text, { query, accept: "text/csv" });
      expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
      const lines = file.text.trimEnd().split("\n");
      expect(lines[0]).toBe('line,reason,"phone","note"');
      expect(lines[1]).toBe(`2,not_e164,"00","'=1;""0"""`);
      expect(lines[121]).toBe(`123,text_too_long,"'+15005550007","${"x".repeat(12_000)}"`);
      expect(lines).toHaveLength(122);
      const made = await sendFile(settings, text, { query: "&rejected=all" });
      expect([made.status, made.body.error.details[0].path]).toEqual([400, ["rejected"]]);
    });

    it("are read by the charset of their content type, alone and in a form", async () => {
      const bytes = Buffer.from("phone;name\n+15005550006;Ay\u00fee\n", "latin1");
      const query = `?settings=${encodeURIComponent(settingsOf("Charset"))}`;
      const named = async (id: string) => {
        const { body } = await user.send("GET", `/api/v1/campaigns/${id}/contacts`);
        return body.data.map(({ name }: Wire) => name);
      };
      const type = "text/csv; charset=windows-1254";
      const alone = await user.send("POST", `${IMPORT}${query}`, {
        raw: bytes,
        headers: { "content-type": type },
      });
      expect(await named(alone.body.data.campaign.id)).toEqual(["Ayşe"]);
      const inForm = await sendForm(
        ["settings", settingsOf("Form", { greetingMessage: 'name="file"' })],
        ["file", new Blob([bytes], { type })],
      );
      expect(await named(inForm.body.data.campaign.id)).toEqual(["Ayşe"]);
    });

    it("refuse a row that cannot be read, tell bad characters, and name what is no text", async () => {
      const query = "&dryRun=true";
      const broken = await sendFile(settingsOf("Broken"), 'phone,name\n+15005550006,"A\n+15005550007,B\n', {
        query,
      });
      expect(broken.body.data).toMatchObject({
        totalContacts: 1,
        rejectedContacts: { items: [{ line: 2, phoneNumber: null, reason: "bad_row" }] },
      });
      const bad = Buffer.concat([
        Buffer.from("phone,name\n+15005550006,Ayşe\n+15005550007,A"),
        Buffer.from([0xfe]),
      ]);
      const workbook = Buffer.from("PK\x03\x04\x14\x00");
      const path = `${IMPORT}?settings=${encodeURIComponent(settingsOf("Bad"))}${query}`;
      const headers = { "content-type": "text/csv" };
      const told = await user.send("POST", path, { raw: bad, headers });
      expect(told.body.data.warnings).toContainEqual(
        expect.objectContaining({ code: "bad_characters", count: 1 }),
      );
      const refused = await user.send("POST", path, { raw: workbook, headers });
      expect(refused.body.error.details).toEqual([
        { path: ["file"], message: expect.stringContaining("an Excel workbook (.xlsx)") },
      ]);
    });

    const HOSTILE = [
      "=1+1",
      "+1 is a number",
      "-2",
      "@SUM(A1)",
      " \t=1",
      "\u200b\u2060=1",
      "＝1+1",
      "\u3000＠x",
      "'=1",
      "''+1",
      "Ali;=cmd|'/c calc'!A1",
      'Ali;"=1"',
      "a,@b",
      "a\t-b",
      "a;b;\u200b+c",
    ];
    /** A guard stands before the whole text, and after each separator, where a formula begins. */
    const guardedAs = (text: string) =>
      text
        .replace(/^(?='*[\s\u200b\u2060]*[=+\-@＝＠])/, "'")
        .replace(/(?<=[;,\t])(?="?\u200b?[=+\-@])/g, "'");

    it("go out with every cell guarded that a spreadsheet could take for a formula, and come back as they were", async () => {
      const contacts = HOSTILE.map((text) => ({ phoneNumber: "+15005550006", name: text, externalId: text }));
      const { campaign } = await made(user, "/api/v1/campaigns", campaignBody(ready, { contacts }));
      const { text } = await user.send("GET", `/api/v1/campaigns/${campaign.id}/contacts.csv`);
      const [header = "", ...rows] = text.trimEnd().split("\n");
      expect(rows.map((row) => cellsOf(row)[1])).toEqual(HOSTILE.map(() => "+15005550006"));
      expect(rows.map((row) => cellsOf(row)[2])).toEqual(HOSTILE.map(guardedAs));
      expect(rows.map((row) => cellsOf(row)[4])).toEqual(HOSTILE.map(guardedAs));

      const exported = [header.replace("phoneNumber", "phone"), ...rows].join("\n");
      const back = await sendFile(settingsOf("Back"), exported);
      const { body } = await user.send("GET", `/api/v1/campaigns/${back.body.data.campaign.id}/contacts`);
      expect(body.data.map(({ name }: Wire) => name)).toEqual(HOSTILE);
      expect(body.data.map(({ customData }: Wire) => customData.externalId)).toEqual(HOSTILE);
    });

    it("leave alone what no spreadsheet takes for a formula", async () => {
      const plain = ["O'Neill", "'quoted'", "a=b", "Ada - Bea"];
      const contacts = plain.map((name) => ({ phoneNumber: "+15005550006", name }));
      const { campaign } = await made(user, "/api/v1/campaigns", campaignBody(ready, { contacts }));
      const { text } = await user.send("GET", `/api/v1/campaigns/${campaign.id}/contacts.csv`);
      expect(
        text
          .trimEnd()
          .split("\n")
          .slice(1)
          .map((row) => cellsOf(row)[2]),
      ).toEqual(plain);
    });
  });
}

/** Cells of a row without line ends in them. */
function cellsOf(row: string): string[] {
  return [...row.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? "",
  );
}
