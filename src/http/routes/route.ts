import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify';
import { ErrorBody, Unauthorized } from '../../contract/error.ts';
import type { Context } from '../../domain/context.ts';
import type { Sessions } from '../../domain/sessions.ts';
import type { Answers } from '../answers.ts';
import type { createAuthentication } from '../auth.ts';
import type { Traffic } from '../traffic.ts';
import type { TypeBoxProvider } from '../validation.ts';

export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxProvider
>;

export interface RouteParts {
  ctx: Context;
  sessions: Sessions;
  /** The step that finds out who asks, or answers 401. */
  authentication: ReturnType<typeof createAuthentication>;
  /** Answers that may be kept by account and revision. */
  answers: Answers;
  traffic: Traffic;
  metricsToken: string | undefined;
  /** The step for what a browser does without a session: refuses requests that another site made it send. */
  fromOwnPages: (req: FastifyRequest) => Promise<void>;
  /** Where the service is reached, if it was told. */
  publicOrigin: string | undefined;
  /** Where the service is reached: as it was told or, failing that, where it listens. Never what a request claims. */
  ownOrigin: () => string;
}

export type Routes = (app: App, parts: RouteParts) => void;

/** The failures a route documents. `401 key` is the one that the interface fixes to the letter. */
export function failures(...statuses: (number | '401 key')[]) {
  return Object.fromEntries(statuses.map((status) => (status === '401 key' ? [401, Unauthorized] : [status, ErrorBody])));
}
