import type { Actor } from '../../domain/actor.ts';
import type { Context } from '../../domain/context.ts';
import type { ServedPrompt } from '../../domain/statistics/counters.ts';
import type { RateLimit } from '../middleware/rate-limit.ts';

/** One message of a client, with the data about it that is recorded in the log and the statistics. */
export interface McpCall {
  readonly ctx: Context;
  readonly actor: Actor;
  readonly writeLimit: RateLimit;
  /** The label whose versions are served: the label in the request's address, or `production`. */
  readonly label: string;
  servedPrompt: ServedPrompt | undefined;
  /** The reason why the call failed. The response may report the failure in a message with status 200. */
  error: unknown;
}
