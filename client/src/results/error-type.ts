/**
 * The pattern of error types. Error messages do not match it, because they contain spaces. Messages are excluded, because they may contain
 * the input of a model.
 */
const typePattern = /^[\w.:/-]{1,100}$/;
/** The maximum number of nested errors that are considered. */
const maxDepth = 4;
const unknownType = 'other';

/** Returns the type of an error: its status, its code or its name. Never returns its message. */
export function errorTypeOf(err: unknown): string {
  const errors = listErrors(err);
  for (const each of errors) {
    const found = statusOf(each) ?? toType(each.code);
    if (found !== undefined) return found;
  }
  const [first] = errors;
  return toType(first?.name === 'Error' ? first.constructor?.name : first?.name) ?? unknownType;
}

/** Returns an error and the errors that caused it. The AI SDK keeps the last error of several attempts in `lastError`. */
function listErrors(err: unknown): Record<string, unknown>[] {
  const errors: Record<string, unknown>[] = [];
  for (let each = err; typeof each === 'object' && each !== null && errors.length < maxDepth; ) {
    // The fields of an error are unknown, so each field is checked where it is used.
    const current = each as Record<string, unknown>;
    errors.push(current);
    each = current.lastError ?? current.cause;
  }
  return errors;
}

function statusOf({ status, statusCode }: Record<string, unknown>): string | undefined {
  const found = status ?? statusCode;
  return typeof found === 'number' && Number.isInteger(found) && found >= 100 && found < 600 ? String(found) : undefined;
}

function toType(value: unknown): string | undefined {
  return typeof value === 'string' && typePattern.test(value) ? value : undefined;
}
