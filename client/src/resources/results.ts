import type { Caller } from '../http/caller.ts';
import type { CsvParameter } from '../http/csv-parameter.ts';
import type { RequestOptions } from '../http/request.ts';
import { type CallReport, withIdentity } from '../results/call-report.ts';
import type { Reporter } from '../results/reporter.ts';
import type { PromptName } from '../typed-prompts.ts';
import type { BrowserFeedback, Feedback, FeedbackTokenRequest, GetResultsQuery } from '../types.ts';

/** `ph.results`: the reports of programs about their model calls. */
export function createResults({ call }: Caller, reporter: Reporter) {
  return {
    /** Returns the results of the workspace, by prompt, by model and over time. `ph.prompts.results` returns the results of one prompt. */
    get: (query: Omit<GetResultsQuery, CsvParameter> = {}, options?: RequestOptions) => call('getResults', { query }, options),
    /** Reports up to 1,000 calls. The method `observe` of a loaded prompt sends such reports for you. */
    report: (calls: CallReport[], options?: RequestOptions) => call('reportResults', { body: { calls: calls.map(withIdentity) } }, options),
    /**
     * Sends the observed calls that have not been sent yet. Resolves when the calls have been sent, or when sending has failed. Call this
     * function before a platform freezes or ends your program: in workers, in serverless functions, and before `process.exit`.
     */
    flush: () => reporter.flush(),
    /** The number of observed calls that are waiting, reported and dropped, and the last error. */
    get state() {
      return reporter.state;
    },
  };
}

type TypedFeedback = Omit<Feedback, 'prompt'> & { prompt: PromptName };

/** `ph.feedback`: scores of calls and versions. */
export function createFeedback({ call }: Pick<Caller, 'call'>) {
  async function sendFeedback(feedback: TypedFeedback, options?: RequestOptions): Promise<void> {
    await call('sendFeedback', { body: { id: crypto.randomUUID(), ...feedback } }, options);
  }
  return Object.assign(sendFeedback, {
    /** Creates a token that a page in a browser can use to rate a version for 24 hours, and for nothing else. */
    createToken: (body: FeedbackTokenRequest, options?: RequestOptions) => call('createFeedbackToken', { body }, options),
    /** Sends feedback with a token. Requires no key. */
    async sendWithToken(feedback: BrowserFeedback, options?: RequestOptions): Promise<void> {
      await call('sendBrowserFeedback', { body: { id: crypto.randomUUID(), ...feedback } }, options);
    },
  });
}
