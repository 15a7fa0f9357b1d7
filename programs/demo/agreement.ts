/** A number that must be the same from two sources. */
export type Agreement = {
  readonly what: string;
  readonly left: number | string;
  readonly right: number | string;
};

export function agrees({ left, right }: Agreement): boolean {
  return left === right;
}
