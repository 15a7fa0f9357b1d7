import { lookup } from "node:dns/promises";

/** Asks the operating system (including the hosts file) for all addresses of a name, in its order. */
export async function resolveName(hostname: string): Promise<readonly string[]> {
  const answers = await lookup(hostname, { all: true, order: "verbatim" });
  return answers.map((answer) => answer.address);
}
