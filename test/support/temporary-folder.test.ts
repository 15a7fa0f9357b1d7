import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { expect, it } from "vitest";

/** The longest path of a socket, and how far below the temporary folder a demo of a test has its own. */
const LONGEST = 103;
const DEMO = "/ringfold-demos-123456/ringfold-demo-123456/postgres/run/.s.PGSQL.5432";

it("is one of this run, open to every user, and leaves room for sockets", () => {
  const folder = tmpdir();
  expect(folder).toMatch(/\/rf-\d+-\w{6}$/);
  expect(statSync(folder).mode & 0o7777).toBe(0o1777);
  if (folder.startsWith("/dev/shm/")) expect(folder.length + DEMO.length).toBeLessThanOrEqual(LONGEST);
});
