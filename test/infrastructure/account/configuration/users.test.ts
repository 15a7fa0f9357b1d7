import { chmodSync, chownSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { chooseServerUser } from "../../../../infrastructure/postgres/embedded/server-user.ts";
import { ask, hold, start, temporaryFolder } from "../../postgres/embedded/data-dirs.ts";
import { serverOf } from "../../postgres/embedded/holder.ts";
import {
  canChangeUsers,
  isRoot,
  ordinaryUser,
  ordinaryUserReachesCheckout,
} from "../../postgres/embedded/users.ts";

const nobody = { name: "nobody", uid: 65534, gid: 65534 };

if (!isRoot) {
  it("runs the server as ourselves when we are not root", () => {
    expect(chooseServerUser(temporaryFolder())).toBeNull();
  });
}

if (canChangeUsers()) {
  it("runs the server as an unprivileged user, who owns our folder and nothing else", async () => {
    const dataDir = temporaryFolder();
    const { pid } = await start({ dataDir });
    const uid = chooseServerUser(join(dataDir, "none"))?.uid;
    const owners = [statSync(`/proc/${pid}`), statSync(join(dataDir, "postgres")), statSync(dataDir)];
    expect([uid === 0, ...owners.map((entry) => entry.uid)]).toEqual([false, uid, uid, 0]);
  });

  it("opens a DATA_DIR of mode 0700 for the group of the server's user only", async () => {
    const dataDir = temporaryFolder();
    chmodSync(dataDir, 0o700);
    await start({ dataDir });
    expect(statSync(dataDir).mode & 0o777).toBe(0o710);
  });

  it("leaves a cluster to the user who owns it", async () => {
    const cluster = join(temporaryFolder(), "data");
    mkdirSync(cluster);
    chownSync(cluster, 65534, 65534);
    expect(chooseServerUser(cluster)).toEqual(nobody);
  });

  it("says what to do when the machine has no unprivileged user", () => {
    expect(() => chooseServerUser("/missing", "/dev/null")).toThrow(
      "this machine has none of the users postgres, node, nobody: start the service as an ordinary user, or set DATABASE_URL",
    );
  });
}

if (isRoot && ordinaryUserReachesCheckout()) {
  it("goes on as root with what an ordinary user began, and the other way round", async () => {
    const dataDir = temporaryFolder();
    chownSync(dataDir, nobody.uid, nobody.gid);
    const first = hold({ dataDir }, ordinaryUser);
    await ask((await serverOf(first)).connection, "create table kept as select 42 as x");
    first.process.kill("SIGTERM");
    await first.ended;
    const asRoot = await start({ dataDir });
    expect(await ask(asRoot.connection, "select x from kept")).toEqual([42]);
    await asRoot.stop();
    const again = await serverOf(hold({ dataDir }, ordinaryUser));
    expect(await ask(again.connection, "select x from kept")).toEqual([42]);
  });
}
