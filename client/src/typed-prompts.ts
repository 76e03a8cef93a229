import type { RequestOptions } from './http/request.ts';
import type { RenderedPrompt, Tool, Version } from './types.ts';

/**
 * The prompts of your workspace, for the compiler. `promptharbor types` writes a file that declares them. Without it, every name and
 * every variable is accepted.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is empty until it is augmented
export interface Prompts {}

/** The declaration of one prompt in `Prompts`. */
export interface PromptDeclaration {
  type: 'text' | 'chat';
  variables: object;
  /** Set if messages may have parts, such as images. Otherwise the content of each message is text. */
  content?: 'parts';
  config?: unknown;
  /** The arguments of each tool, by its name. */
  tools?: object;
  /** The output that fits the schema, once it is parsed. */
  output?: unknown;
}

export type PromptName = keyof Prompts extends never ? string : keyof Prompts & string;

type DeclarationOf<Name> = Name extends keyof Prompts ? (Prompts[Name] extends PromptDeclaration ? Prompts[Name] : AnyPrompt) : AnyPrompt;

/** A prompt without a declaration. */
export interface AnyPrompt {
  type: 'text' | 'chat';
  variables: Record<string, unknown>;
  content: 'parts';
}

type Text = { text: string };
type AnyMessage = NonNullable<RenderedPrompt['messages']>[number];
type TextMessage = { role: Exclude<AnyMessage['role'], 'tool'>; content: string } | { role: 'tool'; content: string; tool_call_id: string };
type Chat<Declaration> = { messages: (Declaration extends { content: 'parts' } ? AnyMessage : TextMessage)[] };
type RenderedContent<Declaration extends PromptDeclaration> = 'text' | 'chat' extends Declaration['type']
  ? Partial<Text & Chat<Declaration>>
  : Declaration['type'] extends 'text'
    ? Text
    : Chat<Declaration>;

type ConfigOf<Declaration> = Declaration extends { config: infer Config } ? Config : Version['config'];
type RenderedTools<Declaration> = Declaration extends { tools: infer Tools }
  ? { tools: (Tool & { name: keyof Tools & string })[] }
  : Pick<RenderedPrompt, 'tools'>;
type RenderedOutput<Declaration> = Declaration extends { output: unknown }
  ? Required<Pick<RenderedPrompt, 'output'>>
  : Pick<RenderedPrompt, 'output'>;

export type Rendered<Declaration extends PromptDeclaration = AnyPrompt> = Pick<RenderedPrompt, 'name' | 'version'> & {
  config: ConfigOf<Declaration>;
} & RenderedTools<Declaration> &
  RenderedOutput<Declaration> &
  RenderedContent<Declaration>;

/** The parsed output of a model that follows the output schema of a prompt. */
export type PromptOutput<Name extends PromptName> = DeclarationOf<Name> extends { output: infer Output } ? Output : unknown;

/** The parsed arguments of a call of a prompt's tool. */
export type ToolArguments<Name extends PromptName, ToolName extends string> =
  DeclarationOf<Name> extends { tools: infer Tools } ? (ToolName extends keyof Tools ? Tools[ToolName] : never) : unknown;

/** The variables are optional if none of them is required. */
type RenderArguments<Variables> =
  Record<never, never> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions];

/** A prompt at a label, as it was when you got it. It does not change while you use it. */
export interface LoadedPrompt<Declaration extends PromptDeclaration = AnyPrompt> {
  readonly name: string;
  readonly type: Declaration['type'];
  /** The version number. */
  readonly version: number;
  readonly config: ConfigOf<Declaration>;
  readonly variables: Version['variables'];
  /** The whole version. */
  readonly content: Version;
  /**
   * Renders the prompt with your variables. It is rendered locally if its templates allow that, otherwise by a request to the service.
   * The results and errors are the same.
   */
  render(...args: RenderArguments<Declaration['variables']>): Promise<Rendered<Declaration>>;
}

export type LoadedPromptOf<Name> = LoadedPrompt<DeclarationOf<Name>>;
