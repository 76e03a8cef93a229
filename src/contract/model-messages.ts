// This file describes the messages of OpenAI's chat completions, which most model APIs and programs accept. Rendered prompts consist of
// such messages.

export interface TextPart {
  type: 'text';
  text: string;
}

export type ModelPart =
  | TextPart
  | { type: 'image_url'; image_url: { url: string; detail?: 'auto' | 'low' | 'high' } }
  | { type: 'input_audio'; input_audio: { data: string; format: 'wav' | 'mp3' } }
  | { type: 'file'; file: { file_data?: string; file_id?: string; filename?: string } };

export type ModelContent = string | ModelPart[];

/** A message for a model. Messages that a caller inserts may have additional fields, such as tool calls. */
export type ModelMessage = Record<string, unknown> & { role: string };
