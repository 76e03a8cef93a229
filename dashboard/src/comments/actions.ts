import { call } from '../lib/api.ts';
import type { NewComment } from '../lib/types.ts';
import { refreshComments } from './queries.ts';

export async function addComment(body: NewComment): Promise<void> {
  await call('addComment', { body });
  await refreshComments();
}

export async function changeComment(id: string, change: { text: string } | { resolved: boolean }): Promise<void> {
  await call('changeComment', { path: { id }, body: change });
  await refreshComments();
}

export async function deleteComment(id: string): Promise<void> {
  await call('deleteComment', { path: { id } });
  await refreshComments();
}
