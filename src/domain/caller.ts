import { AsyncLocalStorage } from 'node:async_hooks';

/** From where a change is asked for. */
export interface Caller {
  address: string;
  userAgent: string | undefined;
}

/** Who is behind the work under way, so that every account event can say so without each use case passing it on. */
export const caller = new AsyncLocalStorage<Caller>();
