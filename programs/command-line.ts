import process from "node:process";
import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";
import type { VariableName } from "../infrastructure/environment.ts";
import { wrapped } from "./terminal.ts";

type Option = ParseArgsOptionDescriptor & {
  readonly about: string;
  /** Placeholder of its value in --help; absent: it has no value. */
  readonly value?: string;
};

/** The command line of a program, as its --help shows it. */
export type Command = {
  /** The line after "Usage: ". */
  readonly usage: string;
  readonly about: string;
  readonly options: { readonly [name: string]: Option };
  /** Whether it accepts arguments that are not options. */
  readonly takesWords?: boolean;
  /** Variables of the configuration (all of them, or by name), and others with their meaning. */
  readonly environment: "all" | readonly (VariableName | readonly [name: string, meaning: string])[];
  /** In addition to 2 (invalid command line) and 129, 130, 143 (stopped by a signal). */
  readonly exitCodes: { readonly [code: number]: string };
  /** After a signal it ends with 0. */
  readonly goesOn?: boolean;
};

type Parsed<C extends Command> = { args: string[]; options: C["options"]; allowPositionals: true };
export type Given<C extends Command> = ReturnType<typeof parseArgs<Parsed<C>>>;

/** An invalid command line: exit code 2, before anything was started. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly lines: readonly string[];
  constructor(mistake: string, { usage }: Pick<Command, "usage">) {
    super(mistake);
    this.lines = [mistake, `Usage: ${usage}`];
  }
}

/** The given options; null: --help was given, and answered. Throws UsageError. */
export async function readCommandLine<const C extends Command>(
  command: C,
  args: readonly string[] = process.argv.slice(2),
): Promise<Given<C> | null> {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(await helpOf(command));
    return null;
  }
  return parsed(command, args);
}

/** Throws UsageError. */
export function parsed<const C extends Command>(command: C, args: readonly string[]): Given<C> {
  const given = parsedOptions(command, args);
  const [word] = given.positionals;
  if (command.takesWords !== true && word !== undefined)
    throw new UsageError(`Unexpected argument '${word}'`, command);
  return given;
}

function parsedOptions<const C extends Command>(command: C, args: readonly string[]): Given<C> {
  const { options } = command;
  try {
    return parseArgs<Parsed<C>>({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    const [mistake = ""] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw new UsageError(mistake, command);
  }
}

const WIDTH = 100;

async function helpOf({ usage, about, options, environment, exitCodes, goesOn }: Command): Promise<string> {
  const optionRows = Object.entries(options).map(
    ([name, { value, about: meaning }]): Row => [
      value === undefined ? `--${name}` : `--${name} ${value}`,
      meaning,
    ],
  );
  const codes: Row[] = Object.entries(exitCodes).map(([code, meaning]) => [code, meaning]);
  codes.push(["2", "the command line is not understood"]);
  codes.push([
    "129, 130, 143",
    goesOn ? "stopped at once by a second signal" : "stopped by SIGHUP, SIGINT, SIGTERM",
  ]);
  return [
    `Usage: ${usage}\n\n${wrapped(about, WIDTH, 0)}\n`,
    section("Options", [...optionRows, ["-h, --help", "this text"]]),
    section("Environment", await variableRows(environment)),
    section("Exit codes", codes),
  ].join("");
}

type Row = readonly [name: string, meaning: string];

/** Loaded only for --help: a start must not wait for it. */
async function variableRows(environment: Command["environment"]): Promise<Row[]> {
  const { documentedVariables } = await import("../infrastructure/environment.ts");
  const rows = (variables: ReturnType<typeof documentedVariables>) =>
    variables.map(
      ({ name, default: preset, meaning }): Row => [
        name,
        preset === null ? meaning : `${meaning} (default ${preset})`,
      ],
    );
  if (environment === "all") return rows(documentedVariables());
  return environment.flatMap((each): Row[] =>
    typeof each === "string" ? rows(documentedVariables([each])) : [each],
  );
}

function section(title: string, rows: readonly Row[]): string {
  if (rows.length === 0) return "";
  const width = Math.max(...rows.map(([name]) => name.length)) + 2;
  const lines = rows.map(
    ([name, meaning]) => `${wrapped(`  ${name.padEnd(width)}${meaning}`, WIDTH, width)}\n`,
  );
  return `\n${title}:\n${lines.join("")}`;
}
