import { spawnSync } from "node:child_process";

/** The languages of others in which this repository has programs. null: not on this machine. */

/** Python 3.10 or newer that can make a virtual environment: the program itself, not what leads to it. */
export const PYTHON = answerOf("python3", [
  "-c",
  "import ensurepip, sys; sys.exit(sys.version_info < (3, 10) or print(sys.executable))",
]);
export const GO = answerOf("go", ["version"]) === null ? null : "go";
export const PHP = answerOf("php", ["--version"]) === null ? null : "php";

/** What a run without them leaves out, a line each. */
export function missingLanguages(): string[] {
  const missing = [
    PYTHON === null
      ? ["the Python client and the receiver of webhooks in Python (Debian: python3-venv, 3.10 or newer)"]
      : [],
    GO === null ? ["the receiver of webhooks in Go (Debian: golang-go)"] : [],
    PHP === null ? ["the receiver of webhooks in PHP (Debian: php-cli)"] : [],
  ];
  return missing.flat().map((what) => `Not registered: ${what}.`);
}

function answerOf(program: string, args: readonly string[]): string | null {
  const { status, stdout } = spawnSync(program, args, { encoding: "utf8" });
  return status === 0 ? stdout.trim() : null;
}
