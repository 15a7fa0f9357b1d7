import {
  firstClosedPath,
  type ServerUser,
  withAncestors,
} from "../../../../infrastructure/postgres/embedded/server-user.ts";

export const isRoot = process.getuid?.() === 0;

/**
 * As root: the user to whom a child process is handed to see what an ordinary user sees. null: we are one.
 */
export const ordinaryUser: ServerUser | null = isRoot ? { name: "nobody", uid: 65534, gid: 65534 } : null;

const program = [import.meta.dirname, process.execPath].flatMap(withAncestors);
const closed = ordinaryUser === null ? null : firstClosedPath(program, ordinaryUser);

/** False, and said why, when an ordinary user cannot reach this checkout or its Node. */
export function ordinaryUserReachesCheckout(): boolean {
  if (closed !== null)
    console.log(`Not registered: the tests as an ordinary user, because ${closed} is closed to him`);
  return closed === null;
}

/** False, and said so, when the tests that change users cannot run. */
export function canChangeUsers(): boolean {
  if (!isRoot) console.log("Not registered: the tests that need root");
  return isRoot;
}
