import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../lib/clipboard.ts';
import { Button, IconButton } from './Button.tsx';
import { toastFailure } from './toasts.ts';

interface CopyButtonProps {
  /** The text to copy, or a function that loads it on click. */
  text: string | (() => Promise<string>);
  /** The text of the button. If more is copied than the page shows, the text says so. */
  caption?: string;
  /** The name for screen readers, such as "Copy command". */
  label?: string;
  iconOnly?: boolean;
  size?: 'md' | 'sm';
}

export function CopyButton({ text, caption = 'Copy', label = caption, iconOnly = false, size = 'md' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);

  const copy = async () => {
    try {
      await copyText(typeof text === 'string' ? text : text());
      setCopied(true);
    } catch {
      toastFailure('Could not copy. Select the text and copy it manually.');
    }
  };

  const icon = copied ? <Check aria-hidden className="size-4 text-accent" /> : <Copy aria-hidden className="size-4" />;
  return (
    <>
      {iconOnly ? (
        <IconButton label={label} onClick={copy}>
          {icon}
        </IconButton>
      ) : (
        <Button size={size} onClick={copy} {...(label !== caption && { 'aria-label': label })}>
          {icon}
          {copied ? 'Copied' : caption}
        </Button>
      )}
      <span role="status" className="sr-only">
        {copied ? 'Copied' : ''}
      </span>
    </>
  );
}
