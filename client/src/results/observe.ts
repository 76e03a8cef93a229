import type { Called } from './call-report.ts';
import type { Reporter } from './reporter.ts';
import { watchStreams } from './streams.ts';
import { startWatch } from './watch.ts';

export interface ObserveOptions {
  /** The model. Default: the model that the response names. */
  model?: string | undefined;
  /**
   * The provider that runs the model, such as `openai` or `anthropic`. It determines the list price if several providers sell the model.
   */
  provider?: string | undefined;
  /** The id of the trace to which the call belongs, so that feedback can refer to it. */
  traceId?: string | undefined;
}

/** Runs a model call and returns its result. Reports the measurements of the call. Without a reporter, nothing is reported. */
export async function observe<Result>(
  work: () => Result,
  { reporter, called, options }: { reporter: Reporter | undefined; called: Called; options: ObserveOptions },
): Promise<Awaited<Result>> {
  if (!reporter) return await work();
  const watch = startWatch((measured) => reporter.add({ ...called, ...measured }), options);
  try {
    const result = await work();
    if (!watchStreams(result, watch)) watch.end(result);
    return result;
  } catch (err) {
    watch.fail(err);
    throw err;
  }
}
