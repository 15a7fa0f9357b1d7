import type { FieldTable } from "./field-table.ts";

const CHECKS = {
  checks: "Everything that was looked at",
  "checks.name": "What was looked at",
  "checks.ok": "false: this is why it is not ready",
  "checks.detail": "What was measured: position, lag in milliseconds, last movement and the like",
};

/** Health, errors. */
export const SERVICE_FIELDS: readonly FieldTable[] = [
  { of: ["Live"], fields: { status: "The process answers" } },
  { of: ["Ready"], fields: { status: "It can do its work", ...CHECKS } },
  {
    of: ["NotReady"],
    fields: {
      error: "What is missing",
      "error.code": "NOT_READY",
      "error.message": "Names the checks that failed",
      "data.status": "It cannot do all of its work",
      ...Object.fromEntries(Object.entries(CHECKS).map(([field, text]) => [`data.${field}`, text])),
    },
  },
  {
    of: ["Error"],
    fields: {
      error: "Why it was refused",
      "error.code": "Name of the problem, for programs",
      "error.message": "The problem in words, for people",
      "error.details": "With VALIDATION_ERROR: every problem of the request, the first 100",
      "error.details.path": "Where in the request: names of fields and places in lists, counted from 0",
      "error.details.message": "What is wrong there",
    },
  },
  { of: ["PlainError"], fields: { error: "The problem in words" } },
];
