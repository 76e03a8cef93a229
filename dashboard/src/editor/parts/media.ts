import type { ContentPart } from '../../lib/types.ts';

/** Matches the images that are shown. SVG images are not shown, because they can look like a part of the dashboard. */
const shownImage = /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/;
const dataUrl = /^data:([a-z]+\/[A-Za-z0-9.+-]+)?[^,]*,/;

export interface Media {
  /** The text that a person reads: the address, or the type and size of embedded data. */
  text: string;
  /** The image, if it is embedded. */
  image?: string;
  /** An address on another server. The address is never loaded without a click, because the server would learn who looks at it. */
  link?: string;
}

/** Describes a URL, a data URL or the template of a URL. */
export function describeMedia(url: string): Media {
  const [start, mediaType = 'data'] = dataUrl.exec(url) ?? [];
  if (start !== undefined && !url.includes('{{')) {
    const bytes = Math.floor(((url.length - start.length) * 3) / 4);
    return { text: `${mediaType.replace(/^.*\//, '').toUpperCase()}, ${formatBytes(bytes)}`, ...(shownImage.test(url) && { image: url }) };
  }
  if (!/^https?:\/\/\S+$/.test(url) || url.includes('{{') || !URL.canParse(url)) return { text: url };
  return { text: url, link: url };
}

/** Returns the URL of a part, or the data URL of its data. */
export function urlOf(part: Exclude<ContentPart, { type: 'text' }>): string {
  return 'url' in part ? part.url : `data:${part.mediaType};base64,${part.data}`;
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
