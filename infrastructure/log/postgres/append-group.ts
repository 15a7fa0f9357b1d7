import type pg from "pg";
import type { AppendResult } from "../../../application/ports/event-store.ts";
import { integerArray, jsonArray, textArray, uuidArray } from "./binary-array.ts";
import { positionAt } from "./positions.ts";
import { type AppendRequest, expectedNumber } from "./requests.ts";

/** `written`, or the revision that the stream has instead of the expected one. */
export type GroupAnswer =
  | { readonly written: true; readonly result: AppendResult }
  | { readonly written: false; readonly actual: number };

/**
 * Result of a group; `base`: the position before its first event; `created`: time of its events,
 * as PostgreSQL's text.
 */
export type WrittenGroup = {
  readonly base: number;
  readonly created: string;
  /** One for each append, in order. */
  readonly answers: readonly GroupAnswer[];
};

const APPEND = "select actual, base, created from log.append($1, $2, $3, $4, $5, $6, $7, $8, $9)";

/** Appends to be written together (each stream once), with the parameters of the statement. */
export type AppendGroup = { readonly requests: readonly AppendRequest[]; readonly parameters: Buffer[] };

export function groupOf(requests: readonly AppendRequest[]): AppendGroup {
  return { requests, parameters: parametersOf(requests) };
}

/**
 * Writes the group in one transaction and answers each append. Rejects when nothing was written, or
 * the outcome is unknown.
 */
export async function appendGroup(
  client: pg.Client,
  { requests, parameters }: AppendGroup,
): Promise<WrittenGroup> {
  const { rows } = await client.query<[actual: string, base: string, created: string]>({
    name: "append",
    text: APPEND,
    rowMode: "array",
    values: parameters,
  });
  const [actual, base, created] = rows[0] ?? ["{}", "0", ""];
  const answers = answersOf(requests, actual.slice(1, -1).split(",").map(Number), Number(base));
  return { base: Number(base), created, answers };
}

function parametersOf(group: readonly AppendRequest[]): Buffer[] {
  const members = group.flatMap(({ expected, events, json }, index) =>
    events.map((event, offset) => ({
      event,
      appendOf: index + 1,
      revision: expectedNumber(expected) + 1 + offset,
      data: json[offset]?.data ?? "null",
      metadata: json[offset]?.metadata ?? "null",
    })),
  );
  return [
    textArray(group.map(({ stream }) => stream)),
    integerArray(group.map(({ expected }) => expectedNumber(expected))),
    integerArray(members.map(({ appendOf }) => appendOf)),
    integerArray(members.map(({ revision }) => revision)),
    uuidArray(members.map(({ event }) => event.id)),
    textArray(members.map(({ event }) => event.type)),
    textArray(members.map(({ event }) => event.metadata.owner)),
    jsonArray(members.map(({ data }) => data)),
    jsonArray(members.map(({ metadata }) => metadata)),
  ];
}

function answersOf(
  group: readonly AppendRequest[],
  actual: readonly number[],
  base: number,
): readonly GroupAnswer[] {
  let place = base;
  return group.map(({ expected, events }, index) => {
    const found = actual[index] ?? -1;
    if (found !== expectedNumber(expected)) return { written: false, actual: found };
    place += events.length;
    return { written: true, result: { revision: found + events.length, position: positionAt(place) } };
  });
}
