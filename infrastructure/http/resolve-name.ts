import { lookup } from "node:dns/promises";

/** Asks the operating system (hosts file included) for every address of a name, in its order. */
export async function resolveName(hostname: string): Promise<readonly string[]> {
  const answers = await lookup(hostname, { all: true, order: "verbatim" });
  return answers.map((answer) => answer.address);
}
