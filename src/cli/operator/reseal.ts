import { resealKeys } from '../../domain/accounts/keys.ts';
import { resealTwoFactorSecrets } from '../../domain/accounts/two-factor.ts';
import { resealConnectionKeys } from '../../domain/connections/connection-keys.ts';
import type { Context } from '../../domain/context.ts';
import { resealCanary } from '../../domain/secrets/master-secret.ts';
import { resealWebhookSecrets } from '../../domain/webhooks/webhooks.ts';
import { StartError } from '../../errors.ts';
import { count } from '../terminal.ts';
import { type TaskInput, type TaskOutput, textIn } from './task.ts';

/** Encrypts everything with the secret of the process it runs in. */
export async function resealAll(ctx: Context, input: TaskInput, { print }: TaskOutput): Promise<void> {
  const sample = textIn(input, 'sample');
  if (sample !== undefined && !ctx.keyring.isCurrent(sample)) {
    throw new StartError(
      'The running service has another SECRET_KEY. Restart it with the new one and SECRET_KEY_PREVIOUS, then repeat this.',
    );
  }
  const counts = [
    await resealKeys(ctx),
    await resealTwoFactorSecrets(ctx),
    await resealWebhookSecrets(ctx),
    await resealConnectionKeys(ctx),
  ];
  await resealCanary(ctx.store, ctx.keyring);
  const [keys = 0, secrets = 0, webhooks = 0, models = 0] = counts.map(({ resealed }) => resealed);
  const unchanged = counts.reduce((sum, count) => sum + count.unchanged, 0);
  await print(
    `Encrypted ${count(keys, 'key')}, ${count(secrets, 'two-factor secret')}, ${count(webhooks, 'webhook secret')} and ` +
      `${count(models, 'model key')} with SECRET_KEY, ${unchanged} already were. SECRET_KEY_PREVIOUS is no longer needed.`,
  );
}
