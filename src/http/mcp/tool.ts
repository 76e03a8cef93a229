import type { Tool } from '@modelcontextprotocol/server';
import { type Static, type TSchema, Type } from 'typebox';
import { maxPromptNameLength } from '../../contract/limits.ts';
import type { permissions } from '../../contract/permissions.ts';
import type { McpCall } from './call.ts';

/** A tool that a model can call. */
export interface ToolDefinition<Input extends TSchema = TSchema> {
  name: string;
  title: string;
  description: string;
  /** The operation of the REST API that requires the same role. */
  operation: keyof typeof permissions;
  input: Input;
  annotations: NonNullable<Tool['annotations']>;
  /** Returns a string, or a value that is sent as JSON. The input is already validated. */
  run(call: McpCall, input: Static<Input>): Promise<unknown>;
}

/** Infers the type of the input from its schema. */
export function defineTool<Input extends TSchema>(definition: ToolDefinition<Input>): ToolDefinition<Input> {
  return definition;
}

export const Name = Type.String({
  minLength: 1,
  maxLength: maxPromptNameLength,
  description: 'The name of the prompt, including its folders.',
});

export const Strict = Type.Optional(
  Type.Boolean({ description: 'Whether to change nothing, and report the problems, if something would fail at a label. Default: false.' }),
);
