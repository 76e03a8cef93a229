import { ApiError } from '../../../client/src/errors.ts';
import { type Caller, createCaller } from '../../../client/src/http/caller.ts';
import { createUnreachableError, sender } from './api.ts';
import { reconnect } from './connection.ts';

const caller = createCaller(sender);

/** Operations whose responses are read as they arrive. This file is separate from `call`, because pages need only `call` to start. */
export const streams: Caller = {
  ...caller,
  async *stream(id, input, options) {
    try {
      yield* caller.stream(id, input, options);
    } catch (err) {
      if (options?.signal?.aborted || err instanceof ApiError) throw err;
      void reconnect();
      throw createUnreachableError('The connection to PromptHarbor was lost before the response was complete. Try again.');
    }
  },
};
