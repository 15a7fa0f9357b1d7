import process from "node:process";

const SHOW_CURSOR_AND_WRAP = "\u001b[?25h\u001b[?7h";
let restores = false;

/**
 * A progress bar hides the cursor and disables line wrapping: both are restored, however this process ends.
 */
export function restoreTerminalAtExit(): void {
  if (restores || !process.stderr.isTTY) return;
  restores = true;
  process.once("exit", () => process.stderr.write(SHOW_CURSOR_AND_WRAP));
}

/**
 * Lines of at most `columns`, broken between words; continuation lines are indented by `further`. A longer
 * word has its own line.
 */
export function wrapped(line: string, columns = 80, further = 4): string {
  const indent = " ".repeat((/^ */.exec(line)?.[0].length ?? 0) + further);
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(/(?<=\S)(?= )/)) {
    const isFirst = current === "";
    if (!isFirst && current.length + word.length > columns) {
      lines.push(current);
      current = indent + word.trimStart();
    } else current += word;
  }
  return [...lines, current].map((each) => each.trimEnd()).join("\n");
}
