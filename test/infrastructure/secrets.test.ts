import { randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { checkSecretsKey, loadSecretsKey, SecretsKeyError, secretBox } from "../../infrastructure/secrets.ts";
import { migratedDatabase } from "../support/database.ts";
import type { TestDatabase } from "../support/postgres.ts";

const key = randomBytes(32);

describe("secretBox", () => {
  it("opens what it sealed, and seals the same text differently each time", () => {
    const box = secretBox(key);
    const sealed = box.seal("whsec_ü", "webhook:usr_a");
    expect(box.open(sealed, "webhook:usr_a")).toBe("whsec_ü");
    expect(Buffer.from(sealed).equals(Buffer.from(box.seal("whsec_ü", "webhook:usr_a")))).toBe(false);
    expect(Buffer.from(sealed).includes("whsec_")).toBe(false);
  });

  it("refuses another context, another key, and every changed byte", () => {
    const sealed = secretBox(key).seal("secret", "a");
    expect(() => secretBox(key).open(sealed, "b")).toThrow();
    expect(() => secretBox(randomBytes(32)).open(sealed, "a")).toThrow();
    for (let index = 0; index < sealed.length; index++) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => secretBox(key).open(changed, "a")).toThrow();
    }
  });
});

describe("loadSecretsKey", () => {
  let folder = "";
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "secrets-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it("makes a key file that only its owner can read, and takes it again", () => {
    const made = loadSecretsKey(null, folder);
    expect(statSync(join(folder, "secrets.key")).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, "secrets.key"), "utf8").trim()).toBe(
      Buffer.from(made).toString("base64"),
    );
    expect(loadSecretsKey(null, folder)).toEqual(made);
  });

  it("takes the configured key and makes no file", () => {
    expect(Buffer.from(loadSecretsKey(key.toString("base64"), folder)).equals(key)).toBe(true);
    expect(() => statSync(join(folder, "secrets.key"))).toThrow();
  });

  it.each([
    "",
    "short",
    randomBytes(31).toString("base64"),
    randomBytes(33).toString("base64"),
    "!".repeat(43),
  ])("refuses %j without showing it", (text) => {
    expect(() => loadSecretsKey(text, folder)).toThrow(SecretsKeyError);
    if (text !== "") expect(() => loadSecretsKey(text, folder)).not.toThrow(text);
  });

  it("names the file that holds no key", () => {
    writeFileSync(join(folder, "secrets.key"), "nothing\n");
    expect(() => loadSecretsKey(null, folder)).toThrow(join(folder, "secrets.key"));
  });

  it("asks for the variable when the database is the user's own", () => {
    expect(() => loadSecretsKey(null, null)).toThrow("SECRETS_KEY: required with DATABASE_URL");
  });
});

describe("checkSecretsKey", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await migratedDatabase();
  });
  afterAll(() => database.drop());

  it("takes the key that the database began with, and refuses another", async () => {
    await checkSecretsKey(database.pool, secretBox(key));
    await checkSecretsKey(database.pool, secretBox(key));
    await expect(checkSecretsKey(database.pool, secretBox(randomBytes(32)))).rejects.toThrow(SecretsKeyError);
  });
});
