/** Runs `jobs` in order, at most `atOnce` at a time; each has its own result. */
export function startMany<Job, Answer>(
  jobs: readonly Job[],
  atOnce: number,
  work: (job: Job) => Promise<Answer>,
): readonly Promise<Answer>[] {
  const promised = jobs.map((job) => ({ job, ...Promise.withResolvers<Answer>() }));
  const left = promised.values();
  const worker = async () => {
    for (const { job, resolve, reject } of left) await work(job).then(resolve, reject);
  };
  for (let started = 0; started < atOnce; started += 1) void worker();
  return promised.map(({ promise }) => promise);
}
