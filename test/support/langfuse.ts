import assert from 'node:assert/strict';
import { LangfuseClient } from '@langfuse/client';
import { Langfuse } from 'langfuse';
import { type ApiResponse, call, type RequestOptions } from './client.ts';
import type { Client } from './prompts.ts';

export interface LangfusePromptBody {
  id: string;
  projectId: string;
  name: string;
  type: 'text' | 'chat';
  version: number;
  prompt: unknown;
  config: unknown;
  labels: string[];
  tags: string[];
  commitMessage: string | null;
  resolutionGraph: { root: VersionReference; dependencies: Record<string, VersionReference[]> } | null;
  isActive: boolean;
}

interface VersionReference {
  id: string;
  name: string;
  version: number;
}

export const promptsPath = '/api/public/v2/prompts';

/** Returns the path of a prompt, whose name is one segment. */
export function langfusePath(name: string, rest = ''): string {
  return `${promptsPath}/${encodeURIComponent(name)}${rest}`;
}

/** Creates Langfuse's current client, with the settings that we document. */
export function newLangfuse({ service, userId, token }: Client): LangfuseClient {
  return new LangfuseClient({ baseUrl: service.url, publicKey: userId, secretKey: token });
}

/** Creates Langfuse's earlier client, which many programs still use. */
export function newLegacyLangfuse({ service, userId, token }: Client): Langfuse {
  return new Langfuse({ baseUrl: service.url, publicKey: userId, secretKey: token, flushAt: 1 });
}

export function basic(user: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** Sends a request as Langfuse's SDKs do. */
export function callLangfuse(client: Client, method: string, path: string, options: RequestOptions = {}): Promise<ApiResponse> {
  const { headers, ...rest } = options;
  return call(client.service, method, path, { ...rest, headers: { ...basic(client.userId, client.token), ...headers } });
}

/** Creates a version, which must succeed. */
export async function post(client: Client, body: Record<string, unknown>): Promise<LangfusePromptBody> {
  const response = await callLangfuse(client, 'POST', promptsPath, { body });
  assert.equal(response.status, 201, response.text);
  return response.body as LangfusePromptBody;
}

/** Reads a version, which must succeed. */
export async function read(client: Client, name: string, query = ''): Promise<LangfusePromptBody> {
  const response = await callLangfuse(client, 'GET', langfusePath(name, query));
  assert.equal(response.status, 200, response.text);
  return response.body as LangfusePromptBody;
}

/** Asserts an error in Langfuse's shape. `error` is the name of the error, or the paths of the invalid fields. */
export function assertLangfuseError(response: ApiResponse, status: number, error: string | unknown[][]): string {
  assert.equal(response.status, status, response.text);
  const body = response.body as { message: string; error: string | { path: unknown[]; message: string }[] };
  assert.deepEqual(Object.keys(body).sort(), ['error', 'message']);
  assert.ok(body.message.length > 0);
  assert.deepEqual(typeof body.error === 'string' ? body.error : body.error.map(({ path }) => path), error, response.text);
  return body.message;
}
