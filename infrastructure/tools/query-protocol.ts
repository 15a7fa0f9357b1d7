import type { ReadRows } from "./read-only-query.ts";

export type BoundQuery = { readonly text: string; readonly values: readonly (string | null)[] };

export type ToThread =
  | { readonly type: "ask"; readonly id: number; readonly query: BoundQuery }
  | { readonly type: "stop"; readonly id: number };

/** `code`: the SQLSTATE or the system's code, else empty. */
export type QueryProblem = {
  readonly message: string;
  readonly code: string;
  readonly isTooMuch: boolean;
};

export type FromThread = { readonly id: number } & (
  | { readonly type: "answered"; readonly rows: ReadRows }
  | { readonly type: "failed"; readonly problem: QueryProblem }
);
