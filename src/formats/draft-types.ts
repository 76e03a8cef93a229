import type { NewCase } from '../contract/cases.ts';
import type { Messages, TemplateSyntax } from '../contract/versions.ts';

export type FileFormat = 'dotprompt' | 'prompty' | 'promptfoo' | 'prompt-yaml' | 'json';

/** A file to convert. The path is below what was chosen, with `/` between the parts. */
export interface SourceFile {
  path: string;
  text: string;
}

/** What could not be carried over, and what was done about it. */
export interface Finding {
  path: string;
  line?: number | undefined;
  /** As the file has it. */
  construct: string;
  message: string;
  /** error: the prompt is not imported. warning: it is, without this. note: it is, in another form. */
  severity: 'error' | 'warning' | 'note';
}

/** A prompt in the shape in which a batch saves it. What is absent stays as it is in a prompt that exists. */
export interface PromptDraft {
  name: string;
  description?: string;
  tags?: string[];
  syntax: TemplateSyntax;
  template?: string;
  messages?: Messages;
  config: unknown;
}

/** A prompt of a file. */
export interface ConvertedPrompt {
  path: string;
  format: FileFormat;
  name: string;
  /** Undefined if it cannot be imported; then a finding says why. */
  draft: PromptDraft | undefined;
  cases: NewCase[];
  findings: Finding[];
  /** The same prompt, if it cannot be imported as it is but can with the tags that Liquid does not have as text. */
  asText?: ConvertedPrompt | undefined;
}

export interface Conversion {
  prompts: ConvertedPrompt[];
  /** What is about no single prompt. */
  findings: Finding[];
  /** Files of no known format. */
  ignored: string[];
}
