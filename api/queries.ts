/** What the API reads. The port stands in application/ports, because projections (which implement it) must not import the API. */
export type { Queries } from "../application/ports/queries.ts";
