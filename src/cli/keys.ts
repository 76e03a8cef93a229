import { resealKeys } from '../domain/accounts/keys.ts';
import { resealTwoFactorSecrets } from '../domain/accounts/two-factor.ts';
import { resealConnectionKeys } from '../domain/models/connection-keys.ts';
import { resealCanary } from '../domain/secrets/master-secret.ts';
import { resealWebhookSecrets } from '../domain/webhooks/webhooks.ts';
import { withContext } from './with-context.ts';

export async function resealKeysCommand(): Promise<void> {
  await withContext(async (ctx) => {
    const keys = await resealKeys(ctx);
    const secrets = await resealTwoFactorSecrets(ctx);
    const webhooks = await resealWebhookSecrets(ctx);
    const models = await resealConnectionKeys(ctx);
    await resealCanary(ctx.store, ctx.keyring);
    process.stdout.write(
      `Encrypted ${keys.resealed} keys, ${secrets.resealed} two-factor secrets, ${webhooks.resealed} webhook secrets and ${models.resealed} model keys with ` +
        `SECRET_KEY, ${keys.unchanged + secrets.unchanged + webhooks.unchanged + models.unchanged} already were. SECRET_KEY_PREVIOUS is no longer needed.\n`,
    );
  });
}
