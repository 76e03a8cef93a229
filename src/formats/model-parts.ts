import type { ContentPart } from '../contract/content-parts.ts';
import type { MessageContent } from '../contract/message-content.ts';
import type { ModelContent, ModelPart } from '../contract/model-messages.ts';

// This file converts parts to the form of OpenAI's chat completions, which most model APIs and programs accept, and back. The client also
// uses this file, so it must not import anything that is available only on a server.

export function toModelContent(content: MessageContent): ModelContent {
  return typeof content === 'string' ? content : content.map(toModelPart);
}

function toModelPart(part: ContentPart): ModelPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'image':
      return { type: 'image_url', image_url: { url: toUrl(part), ...(part.detail && { detail: part.detail }) } };
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.data, format: part.mediaType === 'audio/wav' ? 'wav' : 'mp3' } };
    case 'file':
      return { type: 'file', file: { file_data: toUrl(part), ...(part.filename !== undefined && { filename: part.filename }) } };
  }
}

function toUrl(part: { url: string } | { data: string; mediaType: string }): string {
  return 'url' in part ? part.url : `data:${part.mediaType};base64,${part.data}`;
}

/**
 * Converts the content of a model's message to the service's form. Returns undefined if the content has fields that this form does not
 * have.
 */
export function fromModelContent(content: unknown): MessageContent | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const parts = content.map(fromModelPart);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function fromModelPart(part: unknown): ContentPart | undefined {
  const found = findPart(part);
  // If a part is not the same after both conversions, some of its data would be lost.
  return found && isSame(toModelPart(found), part) ? found : undefined;
}

const details = ['auto', 'low', 'high'] as const;

function findPart(value: unknown): ContentPart | undefined {
  // All fields are optional and of unknown types, because `isSame` rejects parts that do not fit.
  const part = (value ?? {}) as {
    type?: unknown;
    text?: string;
    image_url?: { url: string; detail?: unknown };
    input_audio?: { data: string; format: string };
    file?: { file_data: string; filename?: string };
  };
  const { text, image_url: image, input_audio: audio, file } = part;
  if (part.type === 'text' && typeof text === 'string') return { type: 'text', text };
  if (part.type === 'image_url' && typeof image?.url === 'string') {
    const detail = details.find((each) => each === image.detail);
    return { type: 'image', ...fromUrl(image.url), ...(detail && { detail }) };
  }
  if (part.type === 'input_audio' && typeof audio?.data === 'string') {
    return { type: 'audio', data: audio.data, mediaType: audio.format === 'wav' ? 'audio/wav' : 'audio/mpeg' };
  }
  if (part.type === 'file' && typeof file?.file_data === 'string') {
    return { type: 'file', ...fromUrl(file.file_data), ...(typeof file.filename === 'string' && { filename: file.filename }) };
  }
  return undefined;
}

const dataUrl = /^data:([a-z]+\/[A-Za-z0-9.+-]{1,100});base64,([A-Za-z0-9+/=]*)$/;

function fromUrl(url: string): { url: string } | { data: string; mediaType: string } {
  const [, mediaType, data] = dataUrl.exec(url) ?? [];
  return mediaType !== undefined && data !== undefined ? { data, mediaType } : { url };
}

function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || one === null || typeof other !== 'object' || other === null) return one === other;
  const [first, second] = [Object.entries(one), new Map(Object.entries(other))];
  return first.length === second.size && first.every(([key, value]) => second.has(key) && isSame(value, second.get(key)));
}
