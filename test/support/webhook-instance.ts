/** An instance in a separate process, with short delays and leases that the program has no settings for. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { DispatcherOptions } from '../../src/domain/webhooks/dispatcher.ts';
import type { TestDatabase } from './engines.ts';
import { reap } from './reaper.ts';
import { startService } from './service.ts';
import { fileOf, sourceProgram } from './source-program.ts';

export interface WebhookInstance {
  url: string;
  /** Kills the instance without a chance to clean up. */
  kill(): Promise<void>;
}

interface Settings {
  env: Record<string, string>;
  webhooks: DispatcherOptions;
}

export async function startInstance({ env }: Pick<TestDatabase, 'env'>, webhooks: DispatcherOptions): Promise<WebhookInstance> {
  const settings: Settings = { env: { ...env, OUTBOUND_ALLOW: '127.0.0.1' }, webhooks };
  const child: ChildProcess = fork(fileOf('webhook-instance'), [JSON.stringify(settings)], {
    ...sourceProgram,
    stdio: 'inherit',
  });
  reap(child);
  const exited = once(child, 'exit');
  const [url] = (await Promise.race([
    once(child, 'message'),
    exited.then(([code]): never => {
      throw new Error(`The instance ended with code ${code}`);
    }),
  ])) as [string];
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

if (import.meta.main) {
  // `startInstance` wrote this value.
  const { env, webhooks } = JSON.parse(process.argv[2] ?? '') as Settings;
  const database = { env, dataDir: env.DATA_DIR ?? '', remove: async () => {} };
  const { url } = await startService({ database, webhooks });
  process.send?.(url);
}
