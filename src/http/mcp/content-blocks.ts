import type { ContentBlock } from '@modelcontextprotocol/server';
import type { ModelMessage, ModelPart } from '../../contract/model-messages.ts';

/** Converts the parts of a message to blocks of the protocol. Tool calls are shown as JSON, because the protocol has no block for them. */
export function toContentBlocks({ role: _, content, ...rest }: ModelMessage): ContentBlock[] {
  const parts = Array.isArray(content)
    ? content
    : content === null || content === undefined
      ? []
      : [{ type: 'text', text: String(content) }];
  // The messages that fill a placeholder come from the caller, so their parts may have any form. `toBlock` shows unknown parts as JSON.
  const blocks = (parts as ModelPart[]).map(toBlock);
  return Object.keys(rest).length === 0 ? blocks : [...blocks, toJson(rest)];
}

function toBlock(part: ModelPart): ContentBlock {
  if (part.type === 'text' && typeof part.text === 'string') return { type: 'text', text: part.text };
  if (part.type === 'image_url' && typeof part.image_url?.url === 'string') return toImage(part.image_url.url);
  if (part.type === 'input_audio' && typeof part.input_audio?.data === 'string') {
    return { type: 'audio', data: part.input_audio.data, mimeType: part.input_audio.format === 'wav' ? 'audio/wav' : 'audio/mpeg' };
  }
  if (part.type === 'file' && typeof part.file?.file_data === 'string') return toFile(part.file.file_data, part.file.filename);
  return toJson(part);
}

function toImage(url: string): ContentBlock {
  const embedded = parseDataUrl(url);
  return embedded ? { type: 'image', ...embedded } : toLink(url, 'image');
}

function toFile(url: string, name = 'file'): ContentBlock {
  const embedded = parseDataUrl(url);
  if (!embedded) return toLink(url, name);
  const { mimeType, data } = embedded;
  // A caller's file name may contain a lone surrogate, which cannot be escaped.
  const path = encodeURIComponent(String(name).toWellFormed());
  return { type: 'resource', resource: { uri: `file:///${path}`, mimeType, blob: data } };
}

function toLink(url: string, name: string): ContentBlock {
  return URL.canParse(url) ? { type: 'resource_link', uri: url, name } : { type: 'text', text: url };
}

function parseDataUrl(url: string): { mimeType: string; data: string } | undefined {
  const [, mimeType, data] = /^data:([a-z]+\/[A-Za-z0-9.+-]+);base64,([A-Za-z0-9+/=]+)$/.exec(url) ?? [];
  return mimeType !== undefined && data !== undefined ? { mimeType, data } : undefined;
}

function toJson(value: object): ContentBlock {
  return { type: 'text', text: JSON.stringify(value) };
}
