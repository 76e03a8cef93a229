import { call } from '../lib/api.ts';
import type { NewRelease } from '../lib/types.ts';
import { refreshPrompts } from '../prompts/queries.ts';
import { toast } from '../ui/toasts.ts';
import { type Arm, describeArms } from './release.ts';

interface OfLabel {
  name: string;
  label: string;
}

/** Starts a release. With `strict`, the service refuses a release if something would fail for the callers of its versions. */
export async function startRelease({ name, label, strict, ...body }: OfLabel & NewRelease & { strict: boolean }): Promise<void> {
  const { arms } = await call('startRelease', { path: { name, label }, query: strict ? { strict: 'true' } : {}, body });
  await refreshPrompts();
  toast(`Release on ${label} started: ${describeArms(arms)}.`);
}

export async function widenRelease({ name, label, arms: wanted }: OfLabel & { arms: Arm[] }): Promise<void> {
  const { arms } = await call('changeRelease', { path: { name, label }, body: { arms: wanted } });
  await refreshPrompts();
  toast(`Release on ${label} widened: ${describeArms(arms)}.`);
}

export async function setReleaseState({ name, label, state }: OfLabel & { state: 'running' | 'paused' }): Promise<void> {
  await call('changeRelease', { path: { name, label }, body: { state } });
  await refreshPrompts();
  toast(`Release on ${label} ${state === 'paused' ? 'paused' : 'resumed'}.`);
}

export async function rollBackRelease({ name, label, control }: OfLabel & { control: number }): Promise<void> {
  await call('rollBackRelease', { path: { name, label } });
  await refreshPrompts();
  toast(`Release on ${label} rolled back. Everyone gets v${control}.`);
}

/** Finishes a release, so that everyone gets one of its versions. `override` is an admin's reason for doing so without passing checks. */
export async function finishRelease({
  name,
  label,
  version,
  override,
}: OfLabel & { version: number; override: string | undefined }): Promise<void> {
  const body = { version, ...(override !== undefined && { override }) };
  await call('finishRelease', { path: { name, label }, body });
  await refreshPrompts();
  toast(`Release on ${label} finished. Everyone gets v${version}.`);
}
