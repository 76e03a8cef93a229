import { Monitor, Moon, Sun } from 'lucide-react';
import { cx } from '../lib/cx.ts';
import { setTheme, useTheme } from '../lib/theme.ts';
import { Section } from '../ui/Card.tsx';

const choices = [
  { theme: 'system', label: 'System', icon: Monitor },
  { theme: 'light', label: 'Light', icon: Sun },
  { theme: 'dark', label: 'Dark', icon: Moon },
] as const;

export function AppearancePage() {
  const theme = useTheme();
  return (
    <Section title="Theme" description="The theme is saved in this browser. “System” follows your device.">
      <fieldset className="grid max-w-lg grid-cols-3 gap-3">
        <legend className="sr-only">Theme</legend>
        {choices.map(({ theme: value, label, icon: Icon }) => (
          <label
            key={value}
            className={cx(
              'flex cursor-pointer flex-col items-start gap-3 rounded-lg border p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
              theme === value ? 'border-accent bg-accent-soft text-accent-ink' : 'border-line-strong text-ink-2 hover:bg-hover',
            )}
          >
            <Icon aria-hidden className="size-5" strokeWidth={1.75} />
            <span className="flex items-center gap-2 font-medium">
              <input type="radio" name="theme" className="accent-accent" checked={theme === value} onChange={() => setTheme(value)} />
              {label}
            </span>
          </label>
        ))}
      </fieldset>
    </Section>
  );
}
