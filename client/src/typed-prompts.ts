import type { RequestOptions } from './http/request.ts';
import type { PromptAttributes } from './results/attributes.ts';
import type { ObserveOptions } from './results/observe.ts';
import type { Feedback, NewPrompt, RenderedPrompt, Tool, Version } from './types.ts';

/**
 * The prompts of your workspace, for the compiler. `promptharbor types` writes a file that declares these prompts. Without such a file,
 * every name and every variable is accepted.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is empty until it is augmented
export interface Prompts {}

/** The declaration of one prompt in `Prompts`. */
export interface PromptDeclaration {
  type: 'text' | 'chat';
  variables: object;
  /** Set if messages may have parts, such as images. Otherwise, the content of each message is text. */
  content?: 'parts';
  config?: unknown;
  /** The arguments of each tool, by its name. */
  tools?: object;
  /** The model's output, parsed according to the output schema. */
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

/**
 * Exists only for the compiler. This symbol is the key of a declaration, from which the helpers for model SDKs derive the types of tools
 * and output.
 */
declare const declaration: unique symbol;

export type Rendered<Declaration extends PromptDeclaration = AnyPrompt> = Pick<RenderedPrompt, 'name' | 'version' | 'release'> & {
  config: ConfigOf<Declaration>;
  /** Returns attributes for the span of a model call, for any OpenTelemetry SDK. */
  attributes(): PromptAttributes;
  readonly [declaration]?: Declaration;
} & RenderedTools<Declaration> &
  RenderedOutput<Declaration> &
  RenderedContent<Declaration>;

/** The declaration of a rendered prompt, or unknown. */
export type RenderedOf<Given> = Given extends { readonly [declaration]?: infer Declaration } ? Declaration : unknown;

/** The parsed output of a model that follows the output schema of a prompt. */
export type PromptOutput<Name extends PromptName> = DeclarationOf<Name> extends { output: infer Output } ? Output : unknown;

/** The parsed arguments of a call of a prompt's tool. */
export type ToolArguments<Name extends PromptName, ToolName extends string> =
  DeclarationOf<Name> extends { tools: infer Tools } ? (ToolName extends keyof Tools ? Tools[ToolName] : never) : unknown;

/** The arguments of a render. The variables are optional if no variable is required. */
type RenderArguments<Variables> =
  Record<never, never> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions];
type SyncArguments<Variables> = Record<never, never> extends Variables ? [variables?: Variables] : [variables: Variables];

/** A score of a version. */
export type PromptFeedback = Pick<Feedback, 'name' | 'value' | 'comment' | 'id'>;

/** A prompt at a label, as it was when you got it. This object does not change while you use it. */
export interface LoadedPrompt<Declaration extends PromptDeclaration = AnyPrompt> {
  readonly name: string;
  readonly type: Declaration['type'];
  /** The version number. */
  readonly version: number;
  /** The way in which a release chose the version. Undefined if the label has no release. */
  readonly release: Version['release'];
  readonly config: ConfigOf<Declaration>;
  readonly variables: Version['variables'];
  /** The whole version. */
  readonly content: Version;
  /**
   * Renders the prompt with your variables, in this process. The result and the errors are the same as from the service. If the
   * template engine cannot be loaded, the client sends templates with conditions, loops or filters to the service.
   */
  render(...args: RenderArguments<Declaration['variables']>): Promise<Rendered<Declaration>>;
  /** Renders the prompt like `render`, but without a promise. This method never sends a request. */
  renderSync(...args: SyncArguments<Declaration['variables']>): Rendered<Declaration>;
  /** Returns attributes for the span of a model call, for any OpenTelemetry SDK. */
  attributes(): PromptAttributes;
  /**
   * Runs a model call, returns its result, and reports the call to the results of this version: the duration, the model, the tokens, and the
   * type of an error. Inputs and outputs are not reported. A streamed result is reported when the stream ends. Reports are sent in the
   * background, and a failed report does not affect your program. If a release chose the version by the key, the key is reported too.
   */
  observe<Result>(work: () => Result, options?: ObserveOptions): Promise<Awaited<Result>>;
  /**
   * Rates this version. If a release chose the version by the key, the score counts for the release too. `ph.feedback` rates one call, by its
   * `traceId` or `responseId`.
   */
  feedback(feedback: PromptFeedback, options?: RequestOptions): Promise<void>;
}

export type LoadedPromptOf<Name> = LoadedPrompt<DeclarationOf<Name>>;

type Messages = NonNullable<NewPrompt['messages']>;
type TextFallback = string | { template: string; config?: unknown };
type ChatFallback = Messages | { messages: Messages; config?: unknown };

/** A prompt in code, for use while neither the service nor a file has the prompt: a template, or messages with templates. */
export type Fallback<Type extends PromptDeclaration['type'] = PromptDeclaration['type']> = Type extends 'text'
  ? TextFallback
  : ChatFallback;

export type FallbackOf<Name> = Fallback<DeclarationOf<Name>['type']>;
