import { messageOf, promptPath, request } from '../lib/api.ts';
import { toast, toastFailure } from '../ui/toasts.ts';
import { refreshPrompts } from './queries.ts';

/** To the bin, with a way back. Its page is left before the lists are read anew: there is nothing to show on it any more. */
export async function deletePrompt(name: string, leave: () => Promise<void>): Promise<void> {
  try {
    await request('DELETE', promptPath(name));
    await leave();
    await refreshPrompts();
    toast(`${name} is in the bin.`, { undo: () => void restorePrompt(name) });
  } catch (err) {
    toastFailure(messageOf(err));
  }
}

export async function restorePrompt(name: string): Promise<void> {
  try {
    await request('POST', promptPath(name, '/restore'));
    await refreshPrompts();
    toast(`${name} is back.`);
  } catch (err) {
    toastFailure(messageOf(err));
  }
}

/** Points a label at a version. `previous` is where it pointed before, for taking it back. */
export async function moveLabel({ name, label, version, previous }: MoveLabel): Promise<void> {
  await request('PUT', promptPath(name, `/labels/${encodeURIComponent(label)}`), { version });
  await refreshPrompts();
  toast(`${label} is now at v${version}.`, { undo: () => void takeBack({ name, label, previous }) });
}

interface MoveLabel {
  name: string;
  label: string;
  version: number;
  previous: number | undefined;
}

async function takeBack({ name, label, previous }: Omit<MoveLabel, 'version'>): Promise<void> {
  try {
    const path = promptPath(name, `/labels/${encodeURIComponent(label)}`);
    await (previous === undefined ? request('DELETE', path) : request('PUT', path, { version: previous }));
    await refreshPrompts();
    toast(previous === undefined ? `${label} is removed again.` : `${label} is back at v${previous}.`);
  } catch (err) {
    toastFailure(messageOf(err));
  }
}
