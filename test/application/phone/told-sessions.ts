import type { SessionListener } from "../../../application/ports/voice-session.ts";

/** Writes down what a session tells, each as its name and its arguments. */
export function listenerThatTells(): { readonly listener: SessionListener; readonly told: unknown[][] } {
  const told: unknown[][] = [];
  const write =
    (name: string) =>
    (...values: unknown[]): void => {
      told.push([name, ...values]);
    };
  const listener: SessionListener = {
    speechStarted: write("speechStarted"),
    customerSaid: write("customerSaid"),
    heardWhole: write("heardWhole"),
    cut: write("cut"),
    digit: write("digit"),
    silence: write("silence"),
    machineHeard: write("machineHeard"),
    closed: write("closed"),
  };
  return { listener, told };
}
