import { FileText, Image, type LucideIcon, Music, Type } from 'lucide-react';
import { maxTemplateCharacters } from '../../../../src/contract/limits.ts';
import type { MessageContent } from '../../../../src/contract/message-content.ts';
import type { ContentPart } from '../../lib/types.ts';
import { formatBytes } from './media.ts';

export type PartType = ContentPart['type'];
export type MediaPart = Exclude<ContentPart, { type: 'text' }>;

export const partKinds: Record<PartType, { icon: LucideIcon; name: string }> = {
  text: { icon: Type, name: 'Text' },
  image: { icon: Image, name: 'Image' },
  file: { icon: FileText, name: 'File' },
  audio: { icon: Music, name: 'Audio' },
};

export const mediaTypes = ['image', 'file', 'audio'] as const;

/** The files that a person can choose. */
export const acceptedFiles: Record<MediaPart['type'], string> = {
  image: 'image/png,image/jpeg,image/gif,image/webp',
  file: '',
  audio: 'audio/wav,audio/mpeg,.wav,.mp3',
};

export function emptyPart(type: PartType): ContentPart {
  if (type === 'text') return { type, text: '' };
  if (type === 'audio') return { type, data: '', mediaType: 'audio/wav' };
  return type === 'image' ? { type, url: '' } : { type, url: '' };
}

/** Adds a part to content, which may have been plain text before. */
export function addPart(content: MessageContent, part: ContentPart): ContentPart[] {
  if (typeof content !== 'string') return [...content, part];
  return content === '' ? [part] : [{ type: 'text', text: content }, part];
}

/** Converts content that has only text back to plain text. */
export function simplify(parts: ContentPart[]): MessageContent {
  const [first] = parts;
  if (!first) return '';
  return parts.length === 1 && first.type === 'text' ? first.text : parts;
}

/** The maximum size of a file. Base64 needs four characters for three bytes. */
const maxFileBytes = Math.floor((maxTemplateCharacters * 3) / 4 / 1000) * 1000;

/** A file as Base64. */
export interface Embedded {
  data: string;
  mediaType: string;
  filename: string;
}

/** Reads a file that the person has chosen. Throws an error whose message says why it cannot be used. */
export async function readEmbedded(file: File, maxBytes = maxFileBytes): Promise<Embedded> {
  if (file.size === 0) throw new Error(`${file.name} is empty.`);
  if (file.size > maxBytes) {
    throw new Error(
      `${file.name} is too large (${formatBytes(file.size)}). Use at most ${formatBytes(maxBytes)}, or enter the URL of a larger file.`,
    );
  }
  const url = await readDataUrl(file);
  const [, mediaType = 'application/octet-stream', data = ''] = /^data:([^;,]*)[^,]*;base64,(.*)$/.exec(url) ?? [];
  return { data, mediaType: mediaType === '' ? 'application/octet-stream' : mediaType, filename: file.name };
}

function readDataUrl(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.onload = () => resolve(String(reader.result));
  reader.onerror = () => reject(new Error(`${file.name} cannot be read.`));
  reader.readAsDataURL(file);
  return promise;
}

/** Returns a part with an embedded file instead of its URL. */
export function embed(part: MediaPart, { data, mediaType, filename }: Embedded): MediaPart {
  switch (part.type) {
    case 'image':
      return { type: 'image', data, mediaType, ...(part.detail && { detail: part.detail }) };
    case 'file':
      return { type: 'file', data, mediaType, filename: part.filename ?? filename };
    case 'audio':
      return { type: 'audio', data, mediaType: mediaType.endsWith('wav') ? 'audio/wav' : 'audio/mpeg' };
  }
}
