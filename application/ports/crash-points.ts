/**
 * A named place in the code at which a drill may kill the process (`CRASH_AT=<point>[:n]`), and through which the simulation crashes at every
 * durable step. In production it does nothing.
 */
export interface CrashPoints {
  reached(point: string): void | Promise<void>;
}
