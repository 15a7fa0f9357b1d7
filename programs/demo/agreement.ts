/** One thing that must come out the same from two places. */
export type Agreement = {
  readonly what: string;
  readonly left: number | string;
  readonly right: number | string;
};

export function agrees({ left, right }: Agreement): boolean {
  return left === right;
}
