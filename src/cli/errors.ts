import { AppError, isDatabaseUnavailable, StartError } from '../errors.ts';

/** The exit codes of commands, for scripts. */
export const exitCodes = {
  ok: 0,
  /** The command found differences, conflicts or problems, or the error has no exit code of its own. */
  failed: 1,
  usage: 2,
  /** The command has no key, the key does not permit the request, or the move of a label was only proposed. */
  refused: 3,
  notFound: 4,
  /** The service cannot be reached, is busy or failed. */
  unavailable: 5,
  /** The command was stopped with Ctrl+C. Shells use the same code. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** An error that ends a command, with a sentence for people and an exit code for scripts. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The error for a wrong option or argument. The usage of the command is shown with the message. */
export class UsageError extends CliError {
  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}

export function exitCodeOf(err: unknown): ExitCode {
  if (err instanceof CliError) return err.exitCode;
  return err instanceof AppError ? exitCodeOfStatus(err.status) : exitCodes.failed;
}

/** Returns the exit code for a response with this status. */
export function exitCodeOfStatus(status: number): ExitCode {
  // A 400 means that the options or arguments are wrong.
  if (status === 400) return exitCodes.usage;
  if (status === 401 || status === 403) return exitCodes.refused;
  if (status === 404) return exitCodes.notFound;
  return status === 429 || status >= 500 ? exitCodes.unavailable : exitCodes.failed;
}

/** Returns the message of an error that people can fix, or the stack of a bug. */
export function formatError(err: unknown): string {
  if (err instanceof StartError || err instanceof CliError) return err.message;
  if (isDatabaseUnavailable(err) && err.cause instanceof Error) return `The database is unavailable: ${err.cause.message}`;
  if (err instanceof AppError) return err.details?.map(({ path, message }) => `${path.slice(1)}: ${message}`).join('\n') ?? err.message;
  return err instanceof Error ? (err.stack ?? err.message) : String(err);
}

/** Returns the message of an error. The error may be any value, because any value can be thrown. */
export function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}
