import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { AppError } from '../../errors.ts';

/** Converts an error of the domain to an error of the protocol. */
export function toProtocolError(error: AppError): ProtocolError {
  const { code, details } = error;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, describeError(error), { code, ...(details && { details }) });
}

/** Describes an error and the fields that it concerns, so that a person or a model can act on it. */
export function describeError({ message, details = [] }: AppError): string {
  const lines = details
    .filter(({ message: detail }) => detail !== 'Required' || !message.startsWith('Arguments are missing'))
    .map(({ path, message: detail, line, column }) => `${path}: ${detail}${line === undefined ? '' : ` (line ${line}, column ${column})`}`);
  return [message, ...lines].join('\n');
}

/** Returns whether the caller can only wait and try again. Such errors are sent as HTTP errors with `Retry-After`. */
export function isTransient({ status }: AppError): boolean {
  return status === 429 || status >= 500;
}
