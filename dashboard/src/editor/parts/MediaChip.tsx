import { ExternalLink, type LucideIcon } from 'lucide-react';
import { describeMedia } from './media.ts';

interface MediaChipProps {
  icon: LucideIcon;
  name: string;
  url: string;
}

/** An image, a file or audio. An embedded image is shown, and an image on another server opens in a new tab on a click. */
export function MediaChip({ icon: Icon, name, url }: MediaChipProps) {
  const { text, image, link } = describeMedia(url);
  return (
    <div data-testid="media">
      {image !== undefined && <img src={image} alt={name} className="mb-2 max-h-48 max-w-full rounded-md border border-line" />}
      <div className="flex items-center gap-2 rounded-md border border-line bg-sunken px-3 py-1.5 text-xs">
        <Icon aria-hidden className="size-3.5 shrink-0 text-ink-3" />
        <span className="shrink-0 font-medium">{name}</span>
        {link === undefined ? (
          <span className="min-w-0 truncate text-ink-3" title={text}>
            {text === '' ? '(empty)' : text}
          </span>
        ) : (
          <a
            href={link}
            target="_blank"
            // Without a referrer, the other server does not learn the address of this page.
            rel="noreferrer"
            title={`Open ${link} in a new tab`}
            className="flex min-w-0 items-center gap-1 rounded-sm font-medium text-accent-ink underline underline-offset-3"
          >
            <span className="truncate">{text}</span>
            <ExternalLink aria-hidden className="size-3.5 shrink-0" />
          </a>
        )}
      </div>
    </div>
  );
}
