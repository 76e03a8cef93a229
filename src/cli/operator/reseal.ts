import type { Context } from '../../domain/context.ts';
import { resealCanary } from '../../domain/secrets/master-secret.ts';
import { resealSecrets } from '../../domain/secrets/stored-secrets.ts';
import { StartError } from '../../errors.ts';
import { type Options, textOf } from '../command.ts';
import { count } from '../terminal.ts';
import type { TaskOutput } from './task.ts';

/** Re-encrypts all secrets in the database with the SECRET_KEY of the process in which the task runs. */
export async function resealAll(ctx: Context, input: Options, { print }: TaskOutput): Promise<void> {
  const sample = textOf(input, 'sample');
  if (sample !== undefined && !ctx.keyring.isCurrent(sample)) {
    throw new StartError(
      'The running service uses a different SECRET_KEY. Restart it with the new SECRET_KEY and SECRET_KEY_PREVIOUS, then run this command again.',
    );
  }
  const counts = [
    await resealSecrets(ctx, 'key'),
    await resealSecrets(ctx, 'twoFactor'),
    await resealSecrets(ctx, 'webhook'),
    await resealSecrets(ctx, 'connection'),
    await resealSecrets(ctx, 'previousWebhook'),
  ];
  await resealCanary(ctx.store, ctx.keyring);
  const [keys = 0, secrets = 0, webhooks = 0, models = 0, rotated = 0] = counts.map(({ resealed }) => resealed);
  const unchanged = counts.reduce((sum, count) => sum + count.unchanged, 0);
  await print(
    `Re-encrypted ${count(keys, 'key')}, ${count(secrets, 'two-factor secret')}, ${count(webhooks + rotated, 'webhook secret')} and ` +
      `${count(models, 'model key')} with SECRET_KEY. ${unchanged} already used it. SECRET_KEY_PREVIOUS is no longer needed.`,
  );
}
