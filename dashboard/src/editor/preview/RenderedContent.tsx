import { FileText, Image, Music } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { JsonText } from '../../runs/JsonText.tsx';
import { MediaChip } from '../parts/MediaChip.tsx';
import { isObject } from './preview-values.ts';

interface RenderedContentProps {
  /** The content: text, or parts in the form of OpenAI's chat completions. */
  content: unknown;
  /** The other fields of the message, such as tool calls. */
  rest?: Record<string, unknown>;
  showText: (text: string, index: number) => ReactNode;
}

/** Shows the content of a rendered message: text, or parts such as images. Content in any other form is shown as JSON. */
export function RenderedContent({ content, rest = {}, showText }: RenderedContentProps) {
  const parts = Array.isArray(content) ? content : content === null || content === undefined ? [] : [content];
  return (
    <>
      {parts.map((part: unknown, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no ids.
        <Part key={index} part={part} index={index} showText={showText} />
      ))}
      {Object.keys(rest).length > 0 && <JsonPart value={rest} />}
    </>
  );
}

function Part({ part, index, showText }: { part: unknown; index: number; showText: RenderedContentProps['showText'] }) {
  if (typeof part === 'string') return showText(part, index);
  if (!isObject(part)) return <JsonPart value={part} />;
  if (typeof part.text === 'string') return showText(part.text, index);
  return <MediaPart part={part} />;
}

function MediaPart({ part }: { part: Record<string, unknown> }) {
  const media = findMedia(part);
  if (!media) return <JsonPart value={part} />;
  return (
    <div className="px-4 pb-3">
      <MediaChip {...media} />
    </div>
  );
}

function findMedia({ image_url: image, input_audio: audio, file }: Record<string, unknown>): ComponentProps<typeof MediaChip> | undefined {
  if (isObject(image) && typeof image.url === 'string') {
    return { icon: Image, name: image.detail === undefined ? 'Image' : `Image, detail ${image.detail}`, url: image.url };
  }
  if (isObject(audio) && typeof audio.data === 'string') {
    return { icon: Music, name: 'Audio', url: `data:audio/${audio.format};base64,${audio.data}` };
  }
  if (isObject(file) && typeof file.file_data === 'string') {
    return { icon: FileText, name: typeof file.filename === 'string' ? file.filename : 'File', url: file.file_data };
  }
  return undefined;
}

function JsonPart({ value }: { value: unknown }) {
  return (
    <pre className="whitespace-pre-wrap px-4 pb-3 font-mono text-xs leading-5 wrap-anywhere">
      <JsonText text={JSON.stringify(value, null, 2)} />
    </pre>
  );
}
