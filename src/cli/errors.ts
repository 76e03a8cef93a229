import { AppError, StartError } from '../errors.ts';

/** What a script can tell from the exit code of a command. */
export const exitCodes = {
  ok: 0,
  /** Differences, conflicts or findings; and whatever has no code of its own. */
  failed: 1,
  usage: 2,
  /** No key, or it does not allow this. */
  refused: 3,
  notFound: 4,
  /** The service cannot be reached, is busy or failed. */
  unavailable: 5,
  /** Stopped with Ctrl+C before it was done, as shells say it. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends a command with a sentence for people and an exit code for scripts. */
export class CliError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A wrong option or argument. The usage of the command is shown with it. */
export class UsageError extends CliError {
  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}

/** The message alone for errors that people can fix, the stack for bugs. */
export function formatError(err: unknown): string {
  if (err instanceof StartError || err instanceof CliError) return err.message;
  if (err instanceof AppError) return err.details?.map(({ path, message }) => `${path.slice(1)}: ${message}`).join('\n') ?? err.message;
  return err instanceof Error ? (err.stack ?? err.message) : String(err);
}
