import { runTask } from './operator/run-task.ts';
import { readPassword } from './read-password.ts';

type Values = Record<string, string | undefined>;

export async function createAccountCommand({ email, name }: Values): Promise<void> {
  await runTask('accounts create', { email, name, password: await readPassword(`Password for ${email}: `) });
}

export async function resetPasswordCommand({ email }: Values): Promise<void> {
  await runTask('accounts reset-password', { email, password: await readPassword(`New password for ${email}: `) });
}
