import { readFile } from "node:fs/promises";
import { parseEnv } from "node:util";
import { describe, expect, it } from "vitest";
import { MAX_BODY_BYTES } from "../../api/body/raw-body.ts";
import { readConfig } from "../../infrastructure/config.ts";
import { documentedVariables } from "../../infrastructure/environment.ts";

const read = (file: string) => readFile(new URL(`../../${file}`, import.meta.url), "utf8");

type Block = { readonly [key: string]: Block };

/** Keys of a YAML file by indentation, each with what stands below it: values and items of lists as well. */
function yaml(text: string): Block {
  const root: Record<string, Block> = {};
  const open: { readonly indent: number; readonly block: Record<string, Block> }[] = [
    { indent: -1, block: root },
  ];
  for (const line of text.split("\n")) {
    if (line.trim() === "" || line.trimStart().startsWith("#")) continue;
    expect(line).not.toContain("\t");
    const indent = line.search(/\S/);
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const [, key = "", value = ""] =
      /^(?:- )?("[^"]*"|[^\s:]+(?::\S+)*)(?::(?: (.*))?)?$/.exec(line.trim()) ?? [];
    const block: Record<string, Block> = value === "" ? {} : { [value]: {} };
    const parent = open.at(-1)?.block;
    if (parent !== undefined) parent[key] = block;
    open.push({ indent, block });
  }
  return root;
}

const keys = (block: Block | undefined) => Object.keys(block ?? {});
const known = new Set<string>(documentedVariables().map(({ name }) => name));

async function composed() {
  const base = yaml(await read("docker-compose.yml"));
  const more = yaml(await read("deploy/compose.processes.yml"));
  return { base, more };
}

describe("the compose files", () => {
  it("name services, networks and volumes that there are, and variables that the service knows", async () => {
    const { base, more } = await composed();
    const services = { ...base["services"], worker: more["services"]?.["worker"] ?? {} };
    expect(keys(services)).toEqual(["eventstoredb", "postgres", "ringfold", "asterisk", "worker"]);
    for (const service of Object.values(services)) {
      for (const other of keys(service["depends_on"])) expect(keys(services)).toContain(other);
      for (const network of keys(service["networks"])) expect(keys(base["networks"])).toContain(network);
      for (const volume of keys(service["volumes"]))
        if (!volume.startsWith(".") && !volume.startsWith("$"))
          expect(keys(base["volumes"])).toContain(volume.split(":")[0]);
    }
    expect(keys(base["services"]?.["ringfold"]?.["environment"]).length).toBeGreaterThan(6);
    expect(keys(base["services"]?.["ringfold"]?.["networks"])).toHaveLength(3);
    for (const file of [base, more])
      for (const name of ["ringfold", "worker"])
        for (const variable of keys(file["services"]?.[name]?.["environment"]))
          expect([...known]).toContain(variable);
  });

  it("need no EventStoreDB unless .env names it", async () => {
    const { base } = await composed();
    const services = base["services"];
    expect(keys(services?.["eventstoredb"]?.["profiles"])).toEqual(['["eventstoredb"]']);
    const waits = services?.["ringfold"]?.["depends_on"];
    expect([keys(waits?.["eventstoredb"]?.["required"]), keys(waits?.["postgres"]?.["required"])]).toEqual([
      ["false"],
      [],
    ]);
    const example = await read(".env.example");
    const env = parseEnv(example.replaceAll(/^#(?=[A-Z_]+=)/gm, ""));
    const { BOOTSTRAP_API_KEY: _key, SECRETS_KEY: _secret, ...chosen } = env;
    const { eventStoreUrl } = readConfig(chosen);
    const place = new URL(eventStoreUrl ?? "").hostname;
    expect([place, env["COMPOSE_PROFILES"]]).toEqual(["eventstoredb", "eventstoredb"]);
    expect(parseEnv(example)["EVENTSTORE_URL"]).toBeUndefined();
  });

  it("share among several processes what they must share", async () => {
    const { base, more } = await composed();
    const [one, worker] = [base["services"]?.["ringfold"], more["services"]?.["worker"]];
    expect(keys(more["services"]?.["ringfold"]?.["environment"]?.["ROLE"])).toEqual(["api"]);
    expect(keys(worker?.["environment"]?.["ROLE"])).toEqual(["worker"]);
    for (const name of ["DATABASE_URL", "EVENTSTORE_URL", "SECRETS_KEY", "DATA_DIR", "PUBLIC_URL"])
      expect([name, worker?.["environment"]?.[name]]).toEqual([name, one?.["environment"]?.[name]]);
    for (const part of ["networks", "volumes"]) expect(worker?.[part]).toEqual(one?.[part]);
    expect(keys(worker)).not.toContain("ports");
  });
});

describe.each(["deploy/nginx.conf", "deploy/Caddyfile"])("%s", (file) => {
  it("leads to the service that its first lines set up, and closes idle connections before it", async () => {
    const text = await read(file);
    const set = /^# The service beside it: (.*)$/m.exec(text)?.[1] ?? "";
    const env = parseEnv(set.replaceAll(" ", "\n"));
    for (const name of Object.keys(env)) expect([...known]).toContain(name);
    const { host, port, publicUrl, trustedProxies } = readConfig(env);
    expect(text).toMatch(new RegExp(`^\\s*(?:server|reverse_proxy) ${host}:${port}\\b`, "m"));
    expect(trustedProxies).toContain("127.0.0.0/8");
    expect(text).toMatch(new RegExp(`^(?:\\s*server_name )?${new URL(publicUrl ?? "").hostname}\\b`, "m"));
    expect(Number(/keepalive(?:_timeout)? (\d+)s/.exec(text)?.[1])).toBeLessThan(72);
    // A limit that is not above the service's own would answer in its place, with no error for programs.
    for (const [, mebibytes] of text.matchAll(/^\s*(?:client_max_body_size|max_size) (\d+)m/gim))
      expect(Number(mebibytes) * 1024 * 1024).toBeGreaterThan(MAX_BODY_BYTES);
    expect(text).toMatch(/proxy_buffering off|flush_interval -1/);
    expect(text).toContain("/metrics");
    const plain = text.replaceAll(/#.*$/gm, "");
    expect(plain.split("{").length).toBe(plain.split("}").length);
  });
});
