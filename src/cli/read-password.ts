import { CliError, exitCodes, UsageError } from './errors.ts';
import { createQuestions } from './questions.ts';

/**
 * Asks for a password twice on a terminal. Without a terminal, reads the first line of standard input. The password is not an option,
 * because `ps` shows options.
 */
export async function readNewPassword(question: string): Promise<string> {
  const questions = createQuestions();
  try {
    const password = await questions.askHidden(question);
    if (process.stdin.isTTY && (await questions.askHidden('Again: ')) !== password) {
      throw new CliError('The two passwords differ. Nothing was changed.', exitCodes.usage);
    }
    if (password !== '') return password;
  } catch (err) {
    if (!(err instanceof UsageError)) throw err;
  } finally {
    questions.close();
  }
  throw new CliError('No password was entered.', exitCodes.usage);
}
