import type { RehearsalRecord } from "../../contract/rehearsal.ts";
import type { Played, PlayedRun } from "./play.ts";
import { missedIn, nameOf, shown, transcriptOf, type Verdict, verdictOf } from "./report.ts";

/**
 * What came of a rehearsal as CI systems read it: a suite for each lane, a test `<case> #n` for each run. One
 * that counts for nothing is skipped, with what it missed.
 */
export function junitOf({ rehearsal, runs }: Played): string {
  const tests = runs.map((run) => ({ run, verdict: verdictOf(rehearsal, run) }));
  const suites = (["candidate", "baseline"] as const).flatMap((lane) => {
    const own = tests.filter(({ run }) => run.lane === lane);
    return own.length === 0 ? [] : suiteOf(rehearsal, lane, own);
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: shown(rehearsal.name), ...countsOf(tests) })}>`,
    ...suites,
    "</testsuites>\n",
  ].join("\n");
}

type Test = { readonly run: PlayedRun; readonly verdict: Verdict };

function suiteOf(rehearsal: RehearsalRecord, lane: string, tests: readonly Test[]): string[] {
  const begun = { name: lane, timestamp: rehearsal.createdAt.slice(0, "2026-09-01T10:00:00".length) };
  return [
    `  <testsuite${attributes({ ...begun, ...countsOf(tests) })}>`,
    "    <properties>",
    `      <property${attributes({ name: "rehearsal", value: rehearsal.id })}/>`,
    `      <property${attributes({ name: "draftHash", value: rehearsal.draftHash })}/>`,
    "    </properties>",
    ...tests.flatMap((test) => testOf(shown(rehearsal.name), test)),
    "  </testsuite>",
  ];
}

function testOf(classname: string, { run, verdict }: Test): string[] {
  const start = `    <testcase${attributes({ classname, name: nameOf(run), time: secondsOf(run) })}`;
  if (verdict === "passed") return [`${start}/>`];
  const missed = missedIn(run);
  const message = missed[0] ?? "";
  const transcript = transcriptOf(run).join("\n");
  return [
    `${start}>`,
    verdict === "skipped"
      ? `      <skipped${attributes({ message: `counts for nothing: ${message}` })}/>`
      : `      <${ELEMENT[verdict]}${attributes({ message })}>${xml(missed.join("\n"))}</${ELEMENT[verdict]}>`,
    ...(transcript === "" ? [] : [`      <system-out>${xml(transcript)}</system-out>`]),
    "    </testcase>",
  ];
}

const ELEMENT = { failed: "failure", error: "error" } as const;

function secondsOf({ startedAt, endedAt }: PlayedRun): number {
  return startedAt === null || endedAt === null ? 0 : (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
}

function countsOf(tests: readonly Test[]) {
  const count = (wanted: Verdict) => tests.filter(({ verdict }) => verdict === wanted).length;
  return {
    tests: tests.length,
    failures: count("failed"),
    errors: count("error"),
    skipped: count("skipped"),
  };
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${xml(String(value))}"`)
    .join("");
}

/** What XML 1.0 cannot hold, not even escaped. */
const NOT_IN_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const ESCAPED: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function xml(text: string): string {
  return text.replaceAll(NOT_IN_XML, "\ufffd").replaceAll(/[&<>"]/g, (each) => ESCAPED[each] ?? each);
}
