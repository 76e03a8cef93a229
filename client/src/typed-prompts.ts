import type { RequestOptions } from './http/request.ts';
import type { NewPrompt, RenderedPrompt, Version } from './types.ts';

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
}

export type PromptName = keyof Prompts extends never ? string : keyof Prompts & string;

type DeclarationOf<Name> = Name extends keyof Prompts ? (Prompts[Name] extends PromptDeclaration ? Prompts[Name] : AnyPrompt) : AnyPrompt;

/** A prompt without a declaration. */
export interface AnyPrompt {
  type: 'text' | 'chat';
  variables: Record<string, unknown>;
}

type Text = { text: string };
type Chat = { messages: NonNullable<RenderedPrompt['messages']> };
type RenderedContent<Type> = 'text' | 'chat' extends Type ? Partial<Text & Chat> : Type extends 'text' ? Text : Chat;

export type Rendered<Declaration extends PromptDeclaration = AnyPrompt> = Pick<RenderedPrompt, 'name' | 'version' | 'config'> &
  RenderedContent<Declaration['type']>;

/** The variables are optional if no variable is required. */
type RenderArguments<Variables> =
  Record<never, never> extends Variables
    ? [variables?: Variables, options?: RequestOptions]
    : [variables: Variables, options?: RequestOptions];
type SyncArguments<Variables> = Record<never, never> extends Variables ? [variables?: Variables] : [variables: Variables];

/** A prompt at a label, as it was when you got it. This object does not change while you use it. */
export interface LoadedPrompt<Declaration extends PromptDeclaration = AnyPrompt> {
  readonly name: string;
  readonly type: Declaration['type'];
  /** The version number. */
  readonly version: number;
  readonly config: Version['config'];
  readonly variables: Version['variables'];
  /** The whole version. */
  readonly content: Version;
  /**
   * Renders the prompt with your variables, in this process. The result and the errors are those of the service. Only if the template
   * engine cannot be loaded, the service renders templates with conditions, loops or filters.
   */
  render(...args: RenderArguments<Declaration['variables']>): Promise<Rendered<Declaration>>;
  /** Renders like `render`, without a promise. Never sends a request. */
  renderSync(...args: SyncArguments<Declaration['variables']>): Rendered<Declaration>;
}

export type LoadedPromptOf<Name> = LoadedPrompt<DeclarationOf<Name>>;

type Messages = NonNullable<NewPrompt['messages']>;
type TextFallback = string | { template: string; config?: unknown };
type ChatFallback = Messages | { messages: Messages; config?: unknown };

/** A prompt in code, for the time in which neither the service nor a file has it: a template, or messages with templates. */
export type Fallback<Type extends PromptDeclaration['type'] = PromptDeclaration['type']> = Type extends 'text'
  ? TextFallback
  : ChatFallback;

export type FallbackOf<Name> = Fallback<DeclarationOf<Name>['type']>;
