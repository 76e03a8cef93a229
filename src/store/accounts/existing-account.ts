import { AppError } from '../../errors.ts';
import { isMissingReference } from '../engine/errors.ts';

/** Runs an insert that refers to an account. If the account was deleted meanwhile, throws what its next request would get. */
export async function forExistingAccount<T>(insert: () => Promise<T>): Promise<T> {
  try {
    return await insert();
  } catch (err) {
    throw isMissingReference(err) ? new AppError('unauthorized', { cause: err }) : err;
  }
}
