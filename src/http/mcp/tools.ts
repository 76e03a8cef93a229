import type { CallToolResult, ListToolsResult, Tool } from '@modelcontextprotocol/server';
import { findPermission, ownAccount } from '../../contract/permissions.ts';
import { includesRole, type Role } from '../../contract/roles.ts';
import { AppError } from '../../errors.ts';
import { createValidator } from '../middleware/validation.ts';
import type { McpCall } from './call.ts';
import { toReleaseMeta } from './callers.ts';
import { describeError, isTransient } from './errors.ts';
import { findProposalHint, proposalReadingTools, proposalWritingTools } from './proposal-tools.ts';
import { readingTools } from './reading-tools.ts';
import { releaseReadingTools, releaseWritingTools } from './release-tools.ts';
import { resultTools } from './result-tools.ts';
import type { ToolDefinition } from './tool.ts';
import { writingTools } from './writing-tools.ts';

const definitions: ToolDefinition[] = [
  ...[...readingTools, ...resultTools, ...releaseReadingTools, ...proposalReadingTools],
  ...[...writingTools, ...releaseWritingTools, ...proposalWritingTools],
];
const tools = definitions.map((definition) => ({
  ...definition,
  role: roleOf(definition),
  findProblem: createValidator(definition.input),
}));

/** Lists the tools that the actor's role allows, always in the same order. */
export function listTools({ actor }: McpCall): ListToolsResult {
  return {
    tools: tools
      .filter(({ role }) => includesRole(actor.role, role))
      .map(({ name, title, description, input, annotations }) => ({
        name,
        title,
        description,
        // The schema always describes an object.
        inputSchema: input as unknown as Tool['inputSchema'],
        annotations: { title, openWorldHint: false, ...annotations },
      })),
  };
}

/** Calls a tool. An error that the caller can correct becomes a result, because models read results but not protocol errors. */
export async function callTool(call: McpCall, name: string, input: unknown = {}): Promise<CallToolResult> {
  try {
    const result = await run(call, name, input);
    const text = typeof result === 'string' ? result : JSON.stringify(result);
    return { content: [{ type: 'text', text }], ...toReleaseMeta(call.servedPrompt) };
  } catch (err) {
    if (!(err instanceof AppError) || isTransient(err)) throw err;
    call.error = err;
    const hint = findProposalHint(err) ?? hints[err.code];
    return { content: [{ type: 'text', text: addHint(describeError(err), hint) }], isError: true };
  }
}

async function run(call: McpCall, name: string, input: unknown): Promise<unknown> {
  const tool = tools.find((candidate) => candidate.name === name);
  if (!tool) throw new AppError('not_found', { text: 'There is no such tool. Call tools/list for the available tools.' });
  const { role } = call.actor;
  if (!includesRole(role, tool.role)) {
    throw new AppError('forbidden', { text: `You need the role "${tool.role}" in this workspace. Your role is "${role}".` });
  }
  const problem = tool.findProblem(input) ?? (tool.role === 'viewer' ? undefined : call.writeLimit.take(call.actor.accountId));
  if (problem) throw problem;
  return tool.run(call, input);
}

function roleOf({ name, operation }: ToolDefinition): Role {
  const permission = findPermission(operation);
  if (!permission || permission === ownAccount) throw new Error(`The tool ${name} has no role`);
  return permission;
}

/** Hints that tell a model what to do after an error, by error code. */
const hints: Partial<Record<AppError['code'], string>> = {
  prompt_not_found: 'Call list_prompts to find the name.',
  label_not_found: 'To see its labels, call list_prompts, or get_prompt with "label": "latest".',
  version_not_found: 'Call list_prompts to see the newest version and the labels.',
  release_not_found: 'Call start_release to start one.',
  release_running: 'Call get_release, and then finish_release or roll_back_release.',
  proposal_not_found: 'Call list_proposals to find the id.',
  version_conflict:
    'Call get_prompt with "label": "latest", merge your change into the result, and save it with the version in the result as baseVersion.',
};

function addHint(text: string, hint: string | undefined): string {
  if (hint === undefined) return text;
  return `${text}${text.endsWith('.') ? '' : '.'} ${hint}`;
}
