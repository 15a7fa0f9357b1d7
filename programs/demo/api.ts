/** The `data` of an answer. */
export async function answered<Data>(
  answer: Promise<{ readonly data: { readonly data: Data } }>,
): Promise<Data> {
  return (await answer).data.data;
}
