import type { NewCase } from '../contract/cases.ts';
import type { Messages, TemplateSyntax } from '../contract/versions.ts';
import type { ConfigParts } from './config-parts.ts';

export type FileFormat = 'dotprompt' | 'prompty' | 'promptfoo' | 'prompt-yaml' | 'json';

/** A file to convert. The path is relative to the chosen folder, with `/` between its parts. */
export interface SourceFile {
  path: string;
  text: string;
}

/** Describes text that could not be converted, and how the conversion handled it. */
export interface Finding {
  path: string;
  line?: number | undefined;
  /** The text in the file that could not be converted. */
  construct: string;
  message: string;
  /**
   * `error` means that the prompt is not imported, `warning` that it is imported without this text, and `note` that the text is converted.
   */
  severity: 'error' | 'warning' | 'note';
}

/** A prompt in the shape in which a batch saves it. Absent fields stay unchanged in an existing prompt. */
export interface PromptDraft extends ConfigParts {
  name: string;
  description?: string;
  tags?: string[];
  syntax: TemplateSyntax;
  template?: string;
  messages?: Messages;
  config: unknown;
}

/** A prompt that was converted from a file. */
export interface ConvertedPrompt {
  path: string;
  format: FileFormat;
  name: string;
  /** The draft. Undefined if the prompt cannot be imported. In that case, one of the findings states the reason. */
  draft: PromptDraft | undefined;
  cases: NewCase[];
  findings: Finding[];
  /**
   * The same prompt, in which tags that Liquid does not support are kept as text. Set only if the prompt cannot be imported in any other
   * way.
   */
  asText?: ConvertedPrompt | undefined;
}

export interface Conversion {
  prompts: ConvertedPrompt[];
  /** Findings that do not concern a single prompt. */
  findings: Finding[];
  /** Files whose format is unknown. */
  ignored: string[];
}
