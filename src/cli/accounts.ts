import { runTask } from './operator/run-task.ts';
import { readNewPassword } from './read-password.ts';

type Values = Record<string, string | undefined>;

export async function createAccountCommand({ email, name }: Values): Promise<void> {
  await runTask('accounts create', { email, name, password: await readNewPassword(`Password for ${email}: `) });
}

export async function resetPasswordCommand({ email }: Values): Promise<void> {
  await runTask('accounts reset-password', { email, password: await readNewPassword(`New password for ${email}: `) });
}
