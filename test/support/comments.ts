import assert from 'node:assert/strict';
import type { DiscussionComment } from '../../src/contract/comments.ts';
import type { ListBody } from './prompts.ts';
import type { Person } from './proposals.ts';

/** Adds a comment with an API key. */
export async function comment(by: Person, body: object): Promise<DiscussionComment> {
  const response = await by.api('POST', '/api/comments', body);
  assert.equal(response.status, 201, response.text);
  return response.body as unknown as DiscussionComment;
}

/** Lists comments with an API key. */
export async function listComments(by: Person, query: string): Promise<ListBody<DiscussionComment>> {
  const response = await by.api('GET', `/api/comments?${query}`);
  assert.equal(response.status, 200, response.text);
  return response.body as unknown as ListBody<DiscussionComment>;
}
